import type { StatePart } from '../events/state.ts'
import { bits } from './flag-bits.ts'
import { sql } from 'kysely'
import { isUnreadBy } from './read-ranges.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../limits.ts'

/** Unread messages beyond this number are left out, oldest first, and old_unreads_missing says so. */
const MAX_UNREAD = 50_000

/** The newest message's id, and whom the user has talked with lately. */
export const messageState: StatePart = async (tx) => {
  const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { max_message_id: newest?.id ?? -1, unread_msgs: await unreadMessages(tx) }
}

/** Ids of the messages the user starred. */
export const starredState: StatePart = async (tx) => {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select('message_id')
    .where('user_id', '=', tx.user.id)
    .where(sql<boolean>`flags & ${bits.starred} != 0`)
    .orderBy('message_id')
    .execute()
  return { starred_messages: rows.map((row) => row.message_id) }
}

export const unreadState: StatePart = async (tx, options) => ({ unread_msgs: await unreadMessages(tx, options) })

async function unreadMessages(tx: Parameters<StatePart>[0], options?: Parameters<StatePart>[1]) {
  const { db, user } = tx
  const rows = await db
    .selectFrom('message')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .leftJoin('conversation', 'conversation.id', 'message.conversation_id')
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', user.id),
    )
    .select([
      'message.id',
      'message.conversation_id',
      'message.stream_wildcard',
      'topic.name as topic',
      'conversation.participant_key',
      'message_flag.flags',
    ])
    .where((eb) => isUnreadBy(eb as never, user.id))
    .orderBy('message.id', 'desc')
    .limit(MAX_UNREAD + 1)
    .execute()
  const shown = rows.slice(0, MAX_UNREAD).reverse()
  const groups = new Map<string, { head: (typeof rows)[number]; unread_message_ids: number[] }>()
  for (const row of shown) {
    const key = `${row.conversation_id} ${row.topic ?? ''}`
    const group = groups.get(key) ?? { head: row, unread_message_ids: [] }
    groups.set(key, group)
    group.unread_message_ids.push(row.id)
  }
  const pms: object[] = []
  const huddles: object[] = []
  const streams: object[] = []
  for (const { head, unread_message_ids } of groups.values()) {
    if (head.participant_key === null) {
      const topic = head.topic || (options?.capabilities.empty_topic_name ? '' : EMPTY_TOPIC_DISPLAY_NAME)
      streams.push({ stream_id: head.conversation_id, topic, unread_message_ids })
      continue
    }
    const others = head.participant_key.split(',').map(Number).filter((id) => id !== user.id)
    if (others.length > 1) huddles.push({ user_ids_string: head.participant_key, unread_message_ids })
    else {
      const other_user_id = others[0] ?? user.id
      pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids })
    }
  }
  const mention = bits.mentioned | bits.topic_wildcard_mentioned
  return {
    count: shown.length,
    pms,
    streams,
    huddles,
    mentions: shown.filter((row) => (row.flags ?? 0) & mention || row.stream_wildcard === 1).map((row) => row.id),
    old_unreads_missing: rows.length > MAX_UNREAD,
  }
}
