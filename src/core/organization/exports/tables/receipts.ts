import type { Message } from '../../../access/messages.ts'
import { groupBy } from '../../../kernel/base/lists.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { bits, KEPT_UNREAD } from '../../../read-state/flag-bits.ts'
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

interface Receipt {
  user_id: number
  flags: number
}

/**
 * Returns which users who agreed received each of these messages, which are ordered by id, with their flags. The
 * stream it was sent to (`origin_id`) decides who received and read it.
 */
export async function receiptsOf(
  source: Pick<Source, 'db' | 'scope' | 'reader'>,
  messages: readonly Message[],
): Promise<(message: Message) => Receipt[]> {
  const { db, scope, reader } = source
  if (scope.consenting.size === 0) return () => []
  const { idsIn } = dialectOf(reader.chat)
  const [first, last] = [messages[0]!.id, messages.at(-1)!.id]
  const users = idsIn([...scope.consenting])
  const places = idsIn([...new Set(messages.map(placeOf))])
  const periods = groupBy(
    await db
      .selectFrom('subscription_period')
      .selectAll()
      .where('stream_id', 'in', places)
      .where('user_id', 'in', users)
      .where('from_message_id', '<=', last)
      .where((eb) => eb.or([eb('to_message_id', 'is', null), eb('to_message_id', '>', first)]))
      .execute(),
    (period) => period.stream_id,
  )
  const ranges = groupBy(
    await db
      .selectFrom('read_range')
      .selectAll()
      .where('conversation_id', 'in', places)
      .where('user_id', 'in', users)
      .where('lo', '<=', last)
      .where('hi', '>=', first)
      .execute(),
    (range) => range.conversation_id,
  )
  const ids = idsIn(messages.map((message) => message.id))
  const flags = groupBy(
    await db.selectFrom('message_flag').selectAll().where('message_id', 'in', ids).execute(),
    (row) => row.message_id,
  )

  return (message) => {
    const { id, sender_id, topic_id, conversation_id } = message
    const place = placeOf(message)
    const isDirect = topic_id === null
    const covering = (periods.get(place) ?? []).filter(
      (one) => one.from_message_id <= id && (one.to_message_id === null || id < one.to_message_id),
    )
    const people = isDirect ? scope.directs.get(conversation_id)! : covering.map((one) => one.user_id)
    const base =
      (isDirect ? flagBits.is_private : 0) | (message.stream_wildcard ? flagBits.stream_wildcard_mentioned : 0)
    const receipts = new Map<number, number>()
    const keptUnread = (flags.get(id) ?? []).filter((row) => row.flags & KEPT_UNREAD).map((row) => row.user_id)
    const first = (user_id: number) =>
      message.starts_read && !keptUnread.includes(user_id) ? base | flagBits.read : base
    for (const user of people) if (scope.consenting.has(user)) receipts.set(user, first(user))
    for (const { user_id, lo, hi } of ranges.get(place) ?? []) {
      const known = receipts.get(user_id)
      if (known !== undefined && lo <= id && id <= hi) receipts.set(user_id, known | flagBits.read)
    }
    const sender = receipts.get(sender_id)
    if (sender !== undefined && message.read_by_sender) receipts.set(sender_id, sender | flagBits.read)
    for (const { user_id, flags: stored } of flags.get(id) ?? []) {
      if (!scope.consenting.has(user_id)) continue
      // A user who flags a message that they didn't receive has it in their history afterwards.
      const before = receipts.get(user_id) ?? flagBits.historical | flagBits.read
      receipts.set(user_id, before | translated(stored))
    }
    return [...receipts].map(([user_id, flags]) => ({ user_id, flags }))
  }
}

const placeOf = ({ origin_id, conversation_id }: Message): number => origin_id ?? conversation_id

/** Translates stored flags to upstream's bits. */
function translated(stored: number): number {
  let flags = 0
  for (const [name, bit] of Object.entries(bits)) if (stored & bit) flags |= flagBits[name as keyof typeof bits]
  return flags
}
