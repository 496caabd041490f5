import type { Message } from '../../../access/messages.ts'
import { groupBy } from '../../../kernel/base/lists.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { bits, KEPT_UNREAD } from '../../../read-state/flag-bits.ts'
import type { ExportScope } from './scope.ts'
import type { Source } from './source.ts'

/** Flags as upstream stores them. */
const flagBits = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  has_alert_word: 512,
  historical: 1024,
  is_private: 2048,
} as const

/** People whose ranges are read by one query. */
const WINDOW = 2000
/** Periods and ranges that stay in memory, at up to 32 bytes each. */
const MAX_KEPT = 1_000_000

/**
 * Who receives messages in one place, and what they have read there. Columns of numbers, because a large organization
 * has millions of rows.
 */
interface Receivers {
  /** The user of each period, and the messages from the first up to but not including the second. */
  readonly users: Float64Array
  readonly from: Float64Array
  readonly to: Float64Array
  /** For each period, the ranges of its user. Messages arrive in order, so the start skips the ranges before them. */
  readonly start: Int32Array
  readonly end: Int32Array
  readonly lo: Float64Array
  readonly hi: Float64Array
}

type Reading = Pick<Source, 'db' | 'reader'>
/** Receives a user and their flags of a message. */
type Visit = (user_id: number, flags: number) => void

/**
 * Returns a function that tells which users who agreed received each of these messages, with their flags. The stream
 * it was sent to (`origin_id`) decides who received and read it. Its callers ask in the order of message ids.
 */
export function receiptsIn(scope: ExportScope, most = MAX_KEPT) {
  const kept = new Map<number, Receivers>()
  let size = 0

  async function receiversOf(reading: Reading, message: Message): Promise<Receivers> {
    const place = placeOf(message)
    const known = kept.get(place)
    const receivers = known ?? (await load(reading, scope, message))
    // The places that were used last are the last ones of the map.
    kept.delete(place)
    kept.set(place, receivers)
    if (!known) size += sizeOf(receivers)
    for (const [old, receivers] of kept) {
      if (size <= most || old === place) break
      kept.delete(old)
      size -= sizeOf(receivers)
    }
    return receivers
  }

  return async (reading: Reading, messages: readonly Message[]): Promise<(message: Message, visit: Visit) => void> => {
    if (scope.consenting.size === 0) return () => {}
    const receivers = new Map<number, Receivers>()
    for (const message of messages) {
      const place = placeOf(message)
      if (!receivers.has(place)) receivers.set(place, await receiversOf(reading, message))
    }
    const ids = dialectOf(reading.reader.chat).idsIn(messages.map((message) => message.id))
    const stored = await reading.db.selectFrom('message_flag').selectAll().where('message_id', 'in', ids).execute()
    const flagsOf = groupBy(
      stored.filter((row) => scope.consenting.has(row.user_id)),
      (row) => row.message_id,
    )
    return (message, visit) => {
      const theirs = receivers.get(placeOf(message))!
      const read = message.starts_read === 1 ? flagBits.read : 0
      const rows = flagsOf.get(message.id)
      if (!rows) return visitReceivers(theirs, message, read, visit)
      const own = new Map(rows.map((row) => [row.user_id, row.flags]))
      visitReceivers(theirs, message, 0, (user, flags) => {
        const stored = own.get(user) ?? 0
        visit(user, flags | (stored & KEPT_UNREAD ? 0 : read) | translated(stored))
        own.delete(user)
      })
      // A user who flags a message that they didn't receive has it in their history afterwards.
      for (const [user, stored] of own) visit(user, flagBits.historical | flagBits.read | translated(stored))
    }
  }
}

const placeOf = ({ origin_id, conversation_id }: Message): number => origin_id ?? conversation_id
const sizeOf = ({ users, lo }: Receivers): number => users.length + lo.length

async function load({ db }: Reading, scope: ExportScope, message: Message): Promise<Receivers> {
  const place = placeOf(message)
  const periods =
    message.topic_id === null
      ? (scope.directs.get(place) ?? []).map((user_id) => ({ user_id, from: 0, to: null }))
      : await db
          .selectFrom('subscription_period')
          .select(['user_id', 'from_message_id as from', 'to_message_id as to'])
          .where('stream_id', '=', place)
          .where('from_message_id', '<=', scope.last_message)
          .orderBy('user_id')
          .orderBy('from_message_id')
          .execute()
  const theirs = periods.filter(({ user_id }) => scope.consenting.has(user_id))
  const start = new Int32Array(theirs.length)
  const end = new Int32Array(theirs.length)
  const lo: number[] = []
  const hi: number[] = []
  for (let first = 0; first < theirs.length; first += WINDOW) {
    const last = Math.min(first + WINDOW, theirs.length) - 1
    const ranges = await db
      .selectFrom('read_range')
      .select(['user_id', 'lo', 'hi'])
      .where('conversation_id', '=', place)
      .where('user_id', '>=', theirs[first]!.user_id)
      .where('user_id', '<=', theirs[last]!.user_id)
      .where('lo', '<=', scope.last_message)
      .orderBy('user_id')
      .orderBy('lo')
      .execute()
    const rangesOf = groupBy(ranges, (range) => range.user_id)
    for (let at = first; at <= last; at++) {
      start[at] = lo.length
      for (const range of rangesOf.get(theirs[at]!.user_id) ?? []) {
        lo.push(range.lo)
        hi.push(range.hi)
      }
      end[at] = lo.length
    }
  }
  return {
    users: Float64Array.from(theirs, ({ user_id }) => user_id),
    from: Float64Array.from(theirs, ({ from }) => from),
    to: Float64Array.from(theirs, ({ to }) => to ?? Number.POSITIVE_INFINITY),
    start,
    end,
    lo: Float64Array.from(lo),
    hi: Float64Array.from(hi),
  }
}

/** @param read - the flag of a message that everyone has read */
function visitReceivers(
  { users, from, to, start, end, lo, hi }: Receivers,
  message: Message,
  read: number,
  visit: Visit,
): void {
  const { id, sender_id, topic_id, stream_wildcard, read_by_sender } = message
  const base =
    read | (topic_id === null ? flagBits.is_private : 0) | (stream_wildcard ? flagBits.stream_wildcard_mentioned : 0)
  let previous = -1
  for (let i = 0; i < users.length; i++) {
    const user = users[i]!
    if (id < from[i]! || to[i]! <= id || user === previous) continue
    previous = user
    while (start[i]! < end[i]! && hi[start[i]!]! < id) start[i]!++
    const isRead = (start[i]! < end[i]! && lo[start[i]!]! <= id) || (read_by_sender === 1 && user === sender_id)
    visit(user, isRead ? base | flagBits.read : base)
  }
}

/** Translates stored flags to upstream's bits. */
function translated(stored: number): number {
  let flags = 0
  for (const [name, bit] of Object.entries(bits)) if (stored & bit) flags |= flagBits[name as keyof typeof bits]
  return flags
}
