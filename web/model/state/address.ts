import type { Narrow, Term } from '../../../src/client/index.ts'

/** The view in an address. For a feed, also the message to open, or one that identifies the conversation. */
export type Place =
  | { view: 'feed'; narrow: Narrow; near: number | undefined; linked?: number }
  | { view: 'inbox' | 'recent' | 'missed' | 'drafts' | 'scheduled' | 'streams' | 'people' | 'search' | 'browse' }
  | { view: 'settings'; section: string; item?: string }
  | { view: 'stream'; stream_id: number }
  /** `next` is the address to open afterwards. */
  | { view: 'sign-in'; next: string }

const simple = ['inbox', 'recent', 'missed', 'drafts', 'scheduled', 'streams', 'people', 'search', 'browse'] as const

/** Views as addresses of other clients name them. */
const olderNames: Readonly<Record<string, string>> = {
  all_messages: 'narrow',
  feed: 'narrow',
  recent_topics: 'recent',
  channels: 'streams',
}

/** Reads an address as rendered links write it; undefined for one that names nothing. */
export function parseAddress(hash: string): Place | undefined {
  const [named = '', ...rest] = hash.replace(/^#/, '').split('/')
  const first = olderNames[named] ?? named
  if (first === 'streams' && /^\d{1,15}$/.test(rest[0] ?? '')) return { view: 'stream', stream_id: Number(rest[0]) }
  const view = simple.find((name) => name === first)
  if (view) return { view }
  if (first === 'settings')
    return { view: 'settings', section: rest[0] ?? 'profile', ...(rest[1] && { item: rest[1] }) }
  if (first === 'sign-in') return { view: 'sign-in', next: `#${rest.join('/')}` }
  if (first !== 'narrow') return undefined
  const terms: Term[] = []
  let near: number | undefined
  let linked: number | undefined
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const negated = rest[i]!.startsWith('-')
    const operator = synonyms[rest[i]!.replace(/^-/, '')] ?? rest[i]!.replace(/^-/, '')
    const operand = decodePart(rest[i + 1]!)
    if (operator === 'near') near = Number(operand) || undefined
    else if (operator === 'with') linked = Number(operand) || undefined
    else terms.push({ operator, operand: readOperand(operator, operand), ...(negated && { negated }) })
  }
  return { view: 'feed', narrow: terms, near, ...(linked && { linked }) }
}

const synonyms: Readonly<Record<string, string>> = {
  stream: 'channel',
  'pm-with': 'dm',
  subject: 'topic',
  from: 'sender',
}

function readOperand(operator: string, operand: string): Term['operand'] {
  const [, id] = /^(\d+)(?:-.*)?$/.exec(operand) ?? []
  if ((operator === 'channel' || operator === 'sender') && id !== undefined) return Number(id)
  if (operator !== 'dm' && operator !== 'dm-including') return operand
  const ids = operand.replace(/-[^-,]*$/, '').split(',')
  return ids.every((one) => /^\d+$/.test(one)) ? ids.map(Number) : operand
}

/** The address of a narrow; `names` adds what people read to the id of a stream. */
export function narrowAddress(narrow: Narrow, near?: number, names: (stream_id: number) => string = () => ''): string {
  const parts = narrow.flatMap(({ operator, operand, negated }) => {
    const name = operator === 'channel' && typeof operand === 'number' ? names(operand) : ''
    const text = Array.isArray(operand) ? operand.join(',') : String(operand)
    return [(negated ? '-' : '') + operator, encodePart(name ? `${text}-${name.replaceAll(' ', '-')}` : text)]
  })
  if (near !== undefined) parts.push('near', String(near))
  return `#${['narrow', ...parts].join('/')}`
}

/** Percent encoding with `.` for `%`, as in all addresses of narrows. */
const encodePart = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[.()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return text
  }
}
