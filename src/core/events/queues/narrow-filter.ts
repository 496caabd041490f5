import * as v from 'valibot'
import { fold } from '../../../storage/index.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest, isChatError } from '../../kernel/errors.ts'
import type { User } from '../../kernel/user.ts'
import { compileNarrow } from '../../narrow/compile.ts'
import { lastingMatcherOf, type Matcher, matcherOf } from '../../narrow/matches.ts'
import type { MatchInput } from '../../narrow/operators/match-input.ts'
import { isOperator } from '../../narrow/operators/table.ts'
import { type NarrowTerm, narrow } from '../../narrow/operators/terms.ts'
import { searchText } from '../../narrow/search/text.ts'
import type { LogEntry } from '../log/log.ts'
import type { LoggedEvent } from '../types/table.ts'
import { flagsFor } from './message-payload.ts'

/**
 * A queue's narrow with names replaced by ids, so that renaming does not break it. Throws for unknown operators, and
 * BAD_NARROW for operands that do not fit.
 */
export async function checkQueueNarrow(caller: Caller, terms: readonly NarrowTerm[]): Promise<readonly NarrowTerm[]> {
  for (const { operator } of terms) if (!isOperator(operator)) throw badRequest(`Operator ${operator} not supported.`)
  return (await compileNarrow(caller, terms)).canonical
}

export type Filter = (entry: LogEntry, user: User) => boolean
const everything: Filter = () => true

export interface QueueFilter {
  /** Matching messages, and all other events. */
  passes: Filter
  /**
   * Without the messages that the narrow can never match. Terms that depend on more than the message and their operand
   * may match later, so they leave nothing out.
   */
  mayPass: Filter
}

/** The filter of a queue without a narrow. */
export const unfiltered: QueueFilter = { passes: everything, mayPass: everything }

const ofMessages =
  (matches: Matcher): Filter =>
  ({ payload }, user) =>
    payload.type !== 'message' || matches(matchInputOf(payload, user))

/** Which events a queue's narrow lets through. */
export async function queueFilter(caller: Caller, terms: readonly unknown[]): Promise<QueueFilter> {
  try {
    const parsed = v.parse(narrow, terms)
    const compiled = await compileNarrow(caller, parsed)
    const passes = ofMessages(matcherOf(compiled))
    // The conversation of a message changes when it is moved.
    if (parsed.some(({ operator }) => operator === 'with')) return { passes, mayPass: everything }
    return { passes, mayPass: ofMessages(lastingMatcherOf(compiled)) }
  } catch (error) {
    // This reader can no longer see something in the narrow, such as a stream, so no message can match.
    if (!isChatError(error)) throw error
    return { passes: (entry) => entry.type !== 'message', mayPass: everything }
  }
}

function matchInputOf(event: LoggedEvent<'message'>, user: User): MatchInput {
  const { message } = event
  const inStream = message.type === 'stream'
  return {
    id: message.id,
    sender_id: message.sender_id,
    stream_id: inStream ? message.stream_id : null,
    topic_key: inStream ? fold(message.subject) : null,
    participants: inStream ? null : message.display_recipient.map((person) => person.id),
    flags: flagsFor(event, user),
    has_link: event.has.includes('link'),
    has_image: event.has.includes('image'),
    has_attachment: event.has.includes('attachment'),
    has_reaction: false,
    html: () => event.rendered_content,
    search_text: () => searchText(event.rendered_content),
  }
}
