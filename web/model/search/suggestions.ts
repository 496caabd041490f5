import type { Narrow, Term } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { topicsOf } from '../reading/topics.ts'
import type { Session } from '../state/session.ts'
import { isReadOnly } from '../state/spectator.ts'
import { findPeople } from '../writing/find-mentions.ts'
import { best, folded } from '../writing/matching.ts'
import { operatorsFor } from './operators.ts'

/** Possible meanings of the word being typed. */
export interface SearchSuggestion {
  key: string
  label: string
  about: string
  /** An entire term that replaces the word; */
  term?: Term
  /** or the beginning of one. */
  insert?: string
}

const MOST = 8
const WORD = /(?:^|\s)(-?)([a-z-]+):("?)([^"]*)$/iu

/** Suggestions for the end of a text, given the terms before it. */
export function suggestSearch(session: Session, terms: Narrow, text: string): SearchSuggestion[] {
  const [, minus = '', name = '', , operand = ''] = WORD.exec(text) ?? []
  const operators = operatorsFor(session)
  const operator = operators.find((one) => [one.operator, one.shown].includes(name.toLowerCase()))
  if (operator) {
    return operandsFor(session, operator.operator, operand, terms)
      .slice(0, MOST)
      .map(({ label, about, operand: value }) => ({
        key: `${operator.operator}:${String(value)}`,
        label: `${minus}${operator.shown}:${label}`,
        about,
        term: { operator: operator.operator, operand: value, ...(minus && { negated: true }) },
      }))
  }
  const [, sign = '', word = ''] = /(?:^|\s)(-?)(\S*)$/u.exec(text) ?? []
  const query = folded(word)
  const beginnings = operators
    .filter(({ shown, operator: alias }) => shown.startsWith(query) || alias.startsWith(query))
    .map(({ shown, text: about }) => ({ key: shown, label: `${sign}${shown}:`, about, insert: `${sign}${shown}:` }))
  if (query === '') return text === '' ? beginnings : []
  const places = ['channel', 'sender'].flatMap((kind) =>
    operandsFor(session, kind, word, terms)
      .slice(0, 3)
      .map(({ label, about, operand: value }) => ({
        key: `${kind}:${String(value)}`,
        label: `${sign}${kind === 'channel' ? 'stream' : kind}:${label}`,
        about,
        term: { operator: kind, operand: value, ...(sign && { negated: true }) },
      })),
  )
  return [...beginnings, ...places].slice(0, MOST)
}

interface Operand {
  label: string
  about: string
  operand: Term['operand']
}

function operandsFor(session: Session, operator: string, query: string, terms: Narrow): Operand[] {
  const wanted = folded(query)
  const fixed = operatorsFor(session).find((one) => one.operator === operator)?.operands
  if (fixed) {
    return Object.entries(fixed)
      .filter(([word]) => word.startsWith(wanted))
      .map(([operand, about]) => ({ label: operand, about, operand }))
  }
  if (operator === 'channel') {
    const { subscriptions, streams } = session.state
    const own = new Set(subscriptions.map(({ stream_id }) => stream_id))
    const all = [...subscriptions, ...streams.filter(({ stream_id }) => !own.has(stream_id))]
    return best(all, wanted, ({ name }) => name, MOST).map(({ name, description, stream_id }) => ({
      label: name,
      about: description,
      operand: stream_id,
    }))
  }
  if (operator === 'topic') {
    const stream = terms.find((term) => term.operator === 'channel' && !term.negated)
    if (typeof stream?.operand !== 'number') return []
    const topics = topicsOf(session, stream.operand).value ?? []
    return best(topics, wanted, ({ name }) => name, MOST).map(({ name }) => ({ label: name, about: '', operand: name }))
  }
  if (!['sender', 'mentions', 'dm', 'dm-including'].includes(operator)) return []
  const me =
    'me'.startsWith(wanted) && !isReadOnly(session)
      ? [{ label: 'me', about: texts.message.you, operand: operandOfPeople(operator, session.state.user_id) }]
      : []
  const people = findPeople(session, query, MOST).map(({ full_name, user_id, delivery_email }) => ({
    label: full_name,
    about: delivery_email ?? '',
    operand: operandOfPeople(operator, user_id),
  }))
  return [...me, ...people]
}

const operandOfPeople = (operator: string, user_id: number): Term['operand'] =>
  operator === 'sender' || operator === 'mentions' ? user_id : [user_id]
