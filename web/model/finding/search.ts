import type { Narrow, Term } from '../../../src/client/index.ts'
import { personOf } from '../reading/people.ts'
import type { Session } from '../state/session.ts'
import { folded } from '../writing/matching.ts'

/** What can be searched by, with a sentence for each. */
export const operators = [
  { operator: 'channel', example: 'stream:general', text: 'in a stream' },
  { operator: 'topic', example: 'topic:plans', text: 'in a topic' },
  { operator: 'sender', example: 'sender:ann', text: 'written by somebody' },
  { operator: 'dm', example: 'dm:ann', text: 'in the direct conversation with somebody' },
  { operator: 'is', example: 'is:starred', text: 'starred, mentioned, unread, dm, resolved, followed, muted' },
  { operator: 'has', example: 'has:link', text: 'with a link, an image, an attachment or a reaction' },
] as const

const synonyms: Readonly<Record<string, string>> = {
  stream: 'channel',
  from: 'sender',
  'pm-with': 'dm',
  subject: 'topic',
}
const taken = new Set([
  'channel',
  'topic',
  'sender',
  'dm',
  'dm-including',
  'is',
  'has',
  'id',
  'channels',
  'near',
  'with',
])

/** The narrow of what was typed: `operator:operand`, quoted where it has spaces, `-` before what is to be left out. */
export function parseSearch(session: Session, text: string): Narrow {
  const terms: Term[] = []
  const words: string[] = []
  for (const [whole, minus, name, quoted, plain] of text.matchAll(/(-?)([a-z-]+):(?:"([^"]*)"|(\S+))|\S+/giu)) {
    const operator = name && (synonyms[name.toLowerCase()] ?? name.toLowerCase())
    if (!operator || !taken.has(operator)) {
      words.push(whole)
      continue
    }
    const operand = operandOf(session, operator, quoted ?? plain ?? '')
    terms.push({ operator, operand, ...(minus && { negated: true }) })
  }
  return words.length > 0 ? [...terms, { operator: 'search', operand: words.join(' ') }] : terms
}

function operandOf(session: Session, operator: string, text: string): Term['operand'] {
  const { streams, realm_users, user_id } = session.state
  if (operator === 'channel') {
    const wanted = folded(text)
    const found =
      streams.find((one) => folded(one.name) === wanted) ?? streams.find((one) => folded(one.name).startsWith(wanted))
    return found?.stream_id ?? text
  }
  if (operator !== 'sender' && operator !== 'dm' && operator !== 'dm-including') return text
  const personFor = (name: string): number | string => {
    const wanted = folded(name.trim())
    if (wanted === 'me') return user_id
    if (/^\d+$/.test(wanted)) return Number(wanted)
    const matches = (test: (name: string) => boolean) =>
      realm_users.find((one) => test(folded(one.full_name)) || test(one.email))
    return (matches((one) => one === wanted) ?? matches((one) => one.startsWith(wanted)))?.user_id ?? name
  }
  if (operator === 'sender') return personFor(text)
  return text.split(',').map(personFor)
}

/** A narrow as somebody would type it. */
export function searchText(session: Session, narrow: Narrow): string {
  const nameOf = (operator: string, one: string | number): string => {
    if (typeof one !== 'number') return one
    if (operator === 'channel')
      return session.state.streams.find(({ stream_id }) => stream_id === one)?.name ?? String(one)
    return personOf(session, one)?.full_name ?? String(one)
  }
  return narrow
    .map(({ operator, operand, negated }) => {
      if (operator === 'search') return String(operand)
      const all = (typeof operand === 'object' ? operand : [operand]).map((one) => nameOf(operator, one)).join(',')
      const shown = operator === 'channel' ? 'stream' : operator
      return `${negated ? '-' : ''}${shown}:${/\s/.test(all) ? `"${all}"` : all}`
    })
    .join(' ')
}
