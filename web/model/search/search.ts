import type { Narrow, Term } from '../../../src/client/index.ts'
import { conversationIn } from '../reading/conversations.ts'
import { personOf } from '../reading/people.ts'
import type { Session } from '../state/session.ts'
import { folded } from '../writing/matching.ts'

/** Operators of any number of people. */
const ofPeople = new Set(['dm', 'dm-including', 'group-pm-with'])
/** Operators of one person. */
const ofPerson = new Set(['sender', 'mentions'])
const synonyms: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  from: 'sender',
  'pm-with': 'dm',
  subject: 'topic',
}
/** All operators. `operators.ts`, which is loaded later, describes those that are suggested. */
const taken = new Set(
  'channel topic sender mentions dm dm-including is has in channels id near with group-pm-with'.split(' '),
)

/** A term as it was typed; undefined where its name is no operator. */
export function termOf(session: Session, name: string, text: string, negated: boolean): Term | undefined {
  const operator = synonyms[name.toLowerCase()] ?? name.toLowerCase()
  if (!taken.has(operator)) return undefined
  return { operator, operand: operandOf(session, operator, text), ...(negated && { negated }) }
}

/** Parses typed text into a narrow: `operator:operand`, in quotes if it has spaces, with `-` to exclude matches. */
export function parseSearch(session: Session, text: string): Narrow {
  const terms: Term[] = []
  const words: string[] = []
  for (const [whole, minus, name, quoted, plain] of text.matchAll(/(-?)([a-z-]+):(?:"([^"]*)"|(\S*))|\S+/giu)) {
    const term = name && termOf(session, name, quoted ?? plain ?? '', Boolean(minus))
    if (term) terms.push(term)
    else words.push(whole)
  }
  return words.length > 0 ? [...terms, { operator: 'search', operand: words.join(' ') }] : terms
}

/** Extracts the complete terms of a text: terms that have something after them. The rest is still being typed. */
export function takeTerms(session: Session, text: string): { terms: Term[]; rest: string } {
  const terms: Term[] = []
  const rest = text.replace(/(-?)([a-z-]+):(?:"([^"]*)"|([^\s"]\S*))\s/giu, (whole, minus, name, quoted, plain) => {
    const term = termOf(session, name, quoted ?? plain, Boolean(minus))
    if (!term) return whole
    terms.push(term)
    return ''
  })
  return { terms, rest }
}

function operandOf(session: Session, operator: string, text: string): Term['operand'] {
  const { streams, realm_users, user_id } = session.state
  if (text === '') return ''
  if (operator === 'channel') {
    const wanted = folded(text)
    const found =
      streams.find((one) => folded(one.name) === wanted) ?? streams.find((one) => folded(one.name).startsWith(wanted))
    return found?.stream_id ?? text
  }
  if (!ofPerson.has(operator) && !ofPeople.has(operator)) return text
  const personFor = (name: string): number | string => {
    const wanted = folded(name.trim())
    if (wanted === 'me') return user_id
    if (/^\d+$/.test(wanted)) return Number(wanted)
    const matches = (test: (name: string) => boolean) =>
      realm_users.find((one) => test(folded(one.full_name)) || test(one.email))
    return (matches((one) => one === wanted) ?? matches((one) => one.startsWith(wanted)))?.user_id ?? name
  }
  if (ofPerson.has(operator)) return personFor(text)
  return text.split(',').map(personFor)
}

/** A term as a person would type it. */
export function termText(session: Session, { operator, operand, negated }: Term): string {
  const nameOf = (one: string | number): string => {
    if (typeof one !== 'number') return one
    if (operator === 'channel')
      return session.state.streams.find(({ stream_id }) => stream_id === one)?.name ?? String(one)
    return personOf(session, one)?.full_name ?? String(one)
  }
  if (operator === 'search') return String(operand)
  const all = (typeof operand === 'object' ? operand : [operand]).map(nameOf).join(',')
  return `${negated ? '-' : ''}${operator}:${/\s/.test(all) ? `"${all}"` : all}`
}

/** A narrow as a person would type it. */
export const searchText = (session: Session, narrow: Narrow): string =>
  narrow.map((term) => termText(session, term)).join(' ')

/** Whether a narrow is a search rather than a place with its own name. */
export const isSearch = (narrow: Narrow, own: number): boolean =>
  narrow.length > 0 && conversationIn(narrow, own) === undefined && !isPlace(narrow)

const isPlace = ([first, ...more]: Narrow): boolean =>
  more.length === 0 && !first!.negated && /^(channel|channels|is)$/.test(first!.operator)
