import * as v from 'valibot'
import { admitSpectators } from '../access/spectators.ts'
import { action } from '../kernel/action.ts'
import { MAX_MESSAGES_PER_FETCH } from '../kernel/base/limits.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError, notLoggedIn } from '../kernel/errors.ts'
import { bool, count, described } from '../kernel/fields.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'
import { messageShape } from '../shapes/message.ts'
import { integer } from '../shapes/values.ts'
import { anchorDate, anchorParam, resolveAnchor } from './anchor.ts'
import { allViews, windowViews } from './answer.ts'
import { compileNarrow } from './compile.ts'
import { findAmong } from './find-messages.ts'
import { messageIds, viewOptions, viewParams } from './message-params.ts'
import { canonicalName } from './operators/table.ts'
import { type NarrowTerm, narrow as narrowSchema } from './operators/terms.ts'
import { readNarrow } from './read-narrow.ts'
import { windowAround } from './window.ts'

/** Operators about streams and messages; the others are about the reader, or about direct messages. */
const permitted: ReadonlySet<string> = new Set([
  'channels',
  'channel',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
])

/**
 * Throws UNAUTHORIZED if a visitor without an account doesn't ask for web-public streams in the narrow: it is probably
 * a client that has lost its credentials.
 */
function requireNarrowFor(user: Pick<User, 'id'>, terms: readonly NarrowTerm[]): void {
  if (!isSpectator(user)) return
  if (!terms.some(isPlace) || !terms.every(isPermitted)) throw notLoggedIn()
}

/** A stream, which must be web-public for the reader to see it, or all that are. */
function isPlace({ operator, operand, negated }: NarrowTerm): boolean {
  const name = canonicalName(operator)
  return !negated && (name === 'channel' || (name === 'channels' && operand === 'web-public'))
}

function isPermitted({ operator, operand }: NarrowTerm): boolean {
  const name = canonicalName(operator)
  return permitted.has(name) || (name === 'is' && operand === 'resolved')
}

/**
 * GET /messages: returns a window of messages around an anchor, or the messages with given ids. If they are too large
 * for one response (10,000,000 characters), a window has only the ones nearest to the anchor, and `found_oldest` or
 * `found_newest` is false.
 *
 * @throws UNAUTHORIZED without an account, if the narrow has neither `channels:web-public` nor a web-public stream
 * @throws BAD_NARROW for a term with an unknown operator or an invalid operand
 * @throws BAD_REQUEST for more than 5,000 messages, for ids of messages that are too large together, or without an
 * anchor
 * @example
 * const { messages } = await getMessages(caller, { anchor: 'newest', num_before: 100, num_after: 0 })
 */
export const getMessages = action(
  {
    name: 'getMessages',
    summary: 'Get messages',
    params: v.object({
      anchor: described(v.nullish(anchorParam), 'ID of a message, or "newest", "oldest", "first_unread" or "date".'),
      anchor_date: described(
        v.nullish(anchorDate),
        'Date or time in ISO 8601 for the anchor "date". The anchor is the first message from then on.',
      ),
      include_anchor: described(v.nullish(bool, true), 'Whether to include the anchor message.'),
      num_before: described(v.nullish(count), 'Number of messages before the anchor.'),
      num_after: described(v.nullish(count), 'Number of messages after the anchor.'),
      narrow: described(
        v.nullish(narrowSchema, []),
        'Terms that every message must match: `[operator, operand]` or `{ operator, operand, negated }`.',
      ),
      message_ids: described(v.nullish(messageIds), 'IDs of the messages to fetch, instead of an anchor.'),
      use_first_unread_anchor: described(v.nullish(bool, false), 'Deprecated form of the anchor "first_unread".'),
      ...viewParams,
    }),
    result: v.strictObject({
      messages: v.array(messageShape),
      anchor: v.exactOptional(integer),
      found_anchor: v.exactOptional(v.boolean()),
      found_oldest: v.exactOptional(v.boolean()),
      found_newest: v.exactOptional(v.boolean()),
      history_limited: v.boolean(),
    }),
    errors: ['BAD_NARROW'],
    spectators: admitSpectators,
  },
  async (caller, requested) => {
    const terms = requested.narrow
    const { message_ids } = requested
    requireNarrowFor(caller.user, terms)
    if (message_ids) {
      requireAlone(requested)
      return readNarrow(caller, { terms, count: message_ids.length }, async (reader) => {
        const narrow = await compileNarrow(reader, terms)
        const ids = await findAmong(reader, narrow, message_ids)
        return { messages: await allViews(reader, narrow, ids, viewOptions(requested)), history_limited: false }
      })
    }
    const num_before = required('num_before', requested.num_before)
    const num_after = required('num_after', requested.num_after)
    const count = num_before + num_after
    if (count > MAX_MESSAGES_PER_FETCH) {
      throw badRequest(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
    }
    const anchor = requested.use_first_unread_anchor ? 'first_unread' : requested.anchor
    if (anchor === undefined || anchor === null) throw badRequest("Missing 'anchor' argument.")
    const { anchor_date } = requested
    if (anchor === 'date' && anchor_date == null) throw badRequest("Missing 'anchor_date' argument.")
    return readNarrow(caller, { terms, anchor, count }, (reader) =>
      windowOf(reader, requested, { terms, named: anchor, anchor_date, num_before, num_after }),
    )
  },
)

/** Throws if ids of messages are given together with parameters of a window. */
function requireAlone({ num_before, num_after, anchor, include_anchor }: WindowParams): void {
  if (num_before == null && num_after == null && anchor == null && include_anchor !== false) return
  const parameters = 'num_before, num_after, message_ids, include_anchor, anchor'
  throw new ChatError('BAD_REQUEST', `Unsupported parameter combination: ${parameters}`, { parameters })
}

interface WindowParams {
  anchor?: unknown
  num_before?: unknown
  num_after?: unknown
  include_anchor?: unknown
}

interface Window {
  terms: readonly NarrowTerm[]
  named: string | number
  anchor_date: number | null | undefined
  num_before: number
  num_after: number
}

async function windowOf(
  reader: Caller,
  requested: Parameters<typeof viewOptions>[0] & { include_anchor: boolean | null },
  { terms, named, anchor_date, num_before, num_after }: Window,
) {
  const narrow = await compileNarrow(reader, terms)
  const anchor = await resolveAnchor(reader, narrow, named, anchor_date)
  const window = await windowAround(reader, narrow, { anchor, num_before, num_after })
  const found_anchor = window.atAnchor && requested.include_anchor !== false
  const at = found_anchor ? [anchor] : []
  const views = await windowViews(reader, narrow, { ...window, at }, viewOptions(requested))
  return { ...views, anchor, found_anchor, history_limited: false }
}

function required(name: string, value: number | null | undefined): number {
  if (value !== null && value !== undefined) return value
  throw new ChatError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
}
