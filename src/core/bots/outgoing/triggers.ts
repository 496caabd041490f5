import { fold } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { bits } from '../../read-state/flag-bits.ts'
import { type OutgoingBot, outgoingBots } from '../profiles/outgoing-bots.ts'

/** Messages checked in one write. */
const SLICE = 500
const OUTGOING = 3

/** Why a bot receives a message. */
export type Trigger = 'direct_message' | 'mention' | 'message'

interface Found {
  bot_id: number
  message_id: number
  trigger: Trigger
}

/**
 * Checks the next messages, and stores a delivery for each one that an outgoing webhook should receive. Returns
 * whether more are left. Progress is stored with the deliveries, so none is missed or doubled.
 */
export async function noteMessages(tx: SystemTx): Promise<boolean> {
  const bots = await outgoingBots.get(tx)
  if (bots.length === 0) return false
  const progress = await tx.db.selectFrom('outgoing_progress').select('message_id').executeTakeFirst()
  const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const seen = Math.max(progress?.message_id ?? 0, Math.min(...bots.map((bot) => bot.from_message_id)))
  if (!newest || newest.id <= seen) return false
  const end = Math.min(newest.id, seen + SLICE)
  const found = [
    ...(await mentions(tx, bots, seen, end)),
    ...(await directs(tx, bots, seen, end)),
    ...(await filtered(tx, bots, seen, end)),
  ].sort((a, b) => a.message_id - b.message_id)
  const from = new Map(bots.map((bot) => [bot.id, bot.from_message_id]))
  const now = seconds(tx.chat.clock)
  for (const { bot_id, message_id, trigger } of found) {
    if (message_id <= from.get(bot_id)!) continue
    await tx.db
      .insertInto('outgoing_delivery')
      .values({ bot_id, message_id, trigger, attempts: 0, next_at: now, failed: 0, failure: null, created_at: now })
      .onConflict((oc) => oc.columns(['bot_id', 'message_id']).doNothing())
      .execute()
  }
  await tx.db.deleteFrom('outgoing_progress').execute()
  await tx.db.insertInto('outgoing_progress').values({ message_id: end }).execute()
  return end < newest.id
}

/**
 * Messages of this part of the history, without the server's and outgoing webhooks' own, because two bots could reply
 * to each other forever.
 */
const messagesBetween = ({ db }: SystemTx, seen: number, end: number) =>
  db
    .selectFrom('message')
    .innerJoin('user as sender', 'sender.id', 'message.sender_id')
    .where('message.id', '>', seen)
    .where('message.id', '<=', end)
    .where('sender.is_system_bot', '=', 0)
    .where((eb) => eb.or([eb('sender.bot_type', 'is', null), eb('sender.bot_type', '!=', OUTGOING)]))

const idsOf = (bots: readonly OutgoingBot[]) => bots.map((bot) => bot.id)

async function mentions(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const rows = await messagesBetween(tx, seen, end)
    .innerJoin('message_flag', 'message_flag.message_id', 'message.id')
    .select(['message.id as message_id', 'message.topic_id', 'message_flag.user_id as bot_id', 'message_flag.flags'])
    .where('message_flag.user_id', 'in', dialectOf(tx.chat).idsIn(idsOf(bots)))
    .execute()
  return rows.flatMap(({ message_id, bot_id, flags, topic_id }) =>
    flags & bits.mentioned && topic_id !== null ? [{ bot_id, message_id, trigger: 'mention' as const }] : [],
  )
}

async function directs(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const rows = await messagesBetween(tx, seen, end)
    .innerJoin('direct_participant', 'direct_participant.conversation_id', 'message.conversation_id')
    .select(['message.id as message_id', 'direct_participant.user_id as bot_id'])
    .where('message.topic_id', 'is', null)
    .where('direct_participant.user_id', 'in', dialectOf(tx.chat).idsIn(idsOf(bots)))
    .execute()
  return rows.map((row) => ({ ...row, trigger: 'direct_message' }))
}

/** Messages that pass the bot's filter, in streams it is subscribed to. */
async function filtered(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const filters = new Map(bots.flatMap(({ id, filter }) => (filter ? [[id, filter] as const] : [])))
  if (filters.size === 0) return []
  const rows = await messagesBetween(tx, seen, end)
    .innerJoin('subscription', 'subscription.stream_id', 'message.conversation_id')
    .innerJoin('stream', 'stream.id', 'message.conversation_id')
    .innerJoin('topic', 'topic.id', 'message.topic_id')
    .select(['message.id as message_id', 'subscription.user_id as bot_id', 'stream.name_key as stream'])
    .select('topic.name as topic')
    .where('subscription.is_active', '=', 1)
    .where('subscription.user_id', 'in', dialectOf(tx.chat).idsIn([...filters.keys()]))
    .execute()
  return rows.flatMap(({ message_id, bot_id, stream, topic }) => {
    const filter = filters.get(bot_id)!
    const through =
      (filter.stream === undefined || fold(filter.stream) === stream) &&
      (filter.topic === undefined || fold(filter.topic) === fold(topic))
    return through ? [{ bot_id, message_id, trigger: 'message' as const }] : []
  })
}
