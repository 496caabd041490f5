import type { ChatEvent } from '../../core/events/types/table.ts'
import type { MessageView } from '../../core/shapes/message.ts'
import type { ClientState } from '../state/client-state.ts'

export interface Term {
  readonly operator: string
  readonly operand: string | number | readonly (string | number)[]
  readonly negated?: boolean
}

/** Terms that must all hold for a message. Without terms, all of the user's messages match. */
export type Narrow = readonly Term[]

/** Returns equal texts for equal narrows. */
export const narrowKey = (narrow: Narrow): string =>
  JSON.stringify(narrow.map(({ operator, operand, negated = false }) => [operator, operand, negated]))

type Test = (message: MessageView, operand: Term['operand'], state: ClientState) => boolean
type Flag = MessageView['flags'][number]

const flagged =
  (...flags: readonly Flag[]): ((message: MessageView) => boolean) =>
  (message) =>
    flags.some((flag) => message.flags.includes(flag))

/** Operands of `is`. `unread` is missing because a message that was read there stays in the view. */
const is: Readonly<Record<string, (message: MessageView) => boolean>> = {
  dm: (message) => message.type === 'private',
  private: (message) => message.type === 'private',
  starred: flagged('starred'),
  mentioned: flagged('mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned'),
  alerted: flagged('has_alert_word'),
  resolved: (message) => message.type === 'stream' && message.subject.startsWith('✔ '),
}

const channel: Test = (message, operand) =>
  message.type === 'stream' &&
  (message.stream_id === Number(operand) || sameText(message.display_recipient, String(operand)))

const dm: Test = (message, operand, { user_id }) => {
  if (message.type !== 'private') return false
  const people = Array.isArray(operand) ? operand : [operand]
  const others = new Set(people.map(Number).filter((id) => id !== user_id))
  const ids = message.display_recipient.map(({ id }) => id).filter((id) => id !== user_id)
  return ids.length === others.size && ids.every((id) => others.has(id))
}

const tests: Readonly<Record<string, Test>> = {
  channel,
  stream: channel,
  topic: (message, operand) => message.type === 'stream' && sameText(message.subject, String(operand)),
  dm,
  'pm-with': dm,
  sender: (message, operand) => message.sender_id === Number(operand),
  from: (message, operand) => message.sender_id === Number(operand),
  id: (message, operand) => message.id === Number(operand),
  is: (message, operand) => is[String(operand)]!(message),
}

/** Returns whether a message matches a narrow; undefined if only the server knows, as for a search. */
export function isInNarrow(message: MessageView, narrow: Narrow, state: ClientState): boolean | undefined {
  if (!narrow.every(canDecide)) return undefined
  return narrow.every(({ operator, operand, negated = false }) => tests[operator]!(message, operand, state) !== negated)
}

/** Users must be given by id, because not everyone may see their addresses. */
const canDecide = ({ operator, operand }: Term): boolean => {
  if (operator === 'is') return Object.hasOwn(is, String(operand))
  if (!Object.hasOwn(tests, operator)) return false
  const byId = ['dm', 'pm-with', 'sender', 'from'].includes(operator)
  return !byId || (Array.isArray(operand) ? operand : [operand]).every((one) => Number.isInteger(Number(one)))
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Returns whether the user was subscribed to a stream of the narrow, or unsubscribed from it. Messages in between
 * caused no events.
 */
export const isAboutStream = (event: ChatEvent, narrow: Narrow): boolean =>
  event.type === 'subscription' &&
  (event.op === 'add' || event.op === 'remove') &&
  narrow.some(
    ({ operator, operand }) =>
      (operator === 'channel' || operator === 'stream') &&
      event.subscriptions.some(({ stream_id, name }) => [String(stream_id), name].includes(String(operand))),
  )
