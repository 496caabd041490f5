import { fold } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { bits } from '../../read-state/flag-bits.ts'
import { commandIn, commandsOf } from '../profiles/commands.ts'
import { type OutgoingBot, outgoingBots } from '../profiles/outgoing-bots.ts'
import { isLoop, MAX_WAITING, notifyOfHold, waitingFor } from './held-back.ts'

/** Messages checked in one write. */
const SLICE = 500

/** Why a bot receives a message. */
export type Trigger = 'command' | 'direct_message' | 'mention' | 'message'

interface Message {
  message_id: number
  conversation_id: number
  topic_id: number | null
  sender_id: number
  sender_bot_type: number | null
}

interface Found extends Message {
  bot_id: number
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
  // Only the first trigger of a message counts.
  const found = [
    ...(await commands(tx, bots, seen, end)),
    ...(await mentions(tx, bots, seen, end)),
    ...(await directs(tx, bots, seen, end)),
    ...(await filtered(tx, bots, seen, end)),
  ].sort((a, b) => a.message_id - b.message_id)
  await storeDeliveries(tx, bots, found)
  await tx.db.deleteFrom('outgoing_progress').execute()
  await tx.db.insertInto('outgoing_progress').values({ message_id: end }).execute()
  return end < newest.id
}

/** Stores deliveries of the messages found, except those from before the bot listened, within the limits that end loops. */
async function storeDeliveries(tx: SystemTx, bots: readonly OutgoingBot[], found: readonly Found[]): Promise<void> {
  const byId = new Map(bots.map((bot) => [bot.id, bot]))
  const waiting = new Map<number, number>()
  const now = seconds(tx.chat.clock)
  for (const one of found) {
    const { bot_id, message_id, trigger } = one
    const { from_message_id, receivesBots } = byId.get(bot_id)!
    if (message_id <= from_message_id) continue
    if (one.sender_bot_type !== null) {
      if (!receivesBots || one.sender_id === bot_id) continue
      if (await isLoop(tx, one)) {
        await notifyOfHold(tx, bot_id, 'loop')
        continue
      }
    }
    const count = waiting.get(bot_id) ?? (await waitingFor(tx, bot_id))
    waiting.set(bot_id, count)
    if (count >= MAX_WAITING) {
      await notifyOfHold(tx, bot_id, 'waiting')
      continue
    }
    const added = await tx.db
      .insertInto('outgoing_delivery')
      .values({ bot_id, message_id, trigger, attempts: 0, next_at: now, failed: 0, failure: null, created_at: now })
      .onConflict((oc) => oc.columns(['bot_id', 'message_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) waiting.set(bot_id, count + 1)
  }
}

/** Messages of this part of the history, without the server's own. */
const messagesBetween = ({ db }: SystemTx, seen: number, end: number) =>
  db
    .selectFrom('message')
    .innerJoin('user as sender', 'sender.id', 'message.sender_id')
    .where('message.id', '>', seen)
    .where('message.id', '<=', end)
    .where('sender.is_system_bot', '=', 0)
    .select(['message.id as message_id', 'message.conversation_id', 'message.topic_id', 'message.sender_id'])
    .select('sender.bot_type as sender_bot_type')

const idsOf = (bots: readonly OutgoingBot[]) => bots.map((bot) => bot.id)

/** Messages of people that begin with a command of a bot. */
async function commands(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const ids = new Set(idsOf(bots))
  const botOf = new Map(
    (await commandsOf.get(tx)).flatMap(({ name, bot_id }) => (ids.has(bot_id) ? [[name, bot_id] as const] : [])),
  )
  if (botOf.size === 0) return []
  const rows = await messagesBetween(tx, seen, end)
    .select('message.content')
    .where('message.content', 'like', '/%')
    .where('sender.bot_type', 'is', null)
    .execute()
  return rows.flatMap(({ content, ...row }) => {
    const bot_id = botOf.get(commandIn(content)?.name ?? '')
    return bot_id === undefined ? [] : [{ ...row, bot_id, trigger: 'command' as const }]
  })
}

async function mentions(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const rows = await messagesBetween(tx, seen, end)
    .innerJoin('message_flag', 'message_flag.message_id', 'message.id')
    .select(['message_flag.user_id as bot_id', 'message_flag.flags'])
    .where('message_flag.user_id', 'in', dialectOf(tx.chat).idsIn(idsOf(bots)))
    .execute()
  return rows.flatMap(({ flags, ...row }) =>
    flags & bits.mentioned && row.topic_id !== null ? [{ ...row, trigger: 'mention' as const }] : [],
  )
}

async function directs(tx: SystemTx, bots: readonly OutgoingBot[], seen: number, end: number): Promise<Found[]> {
  const rows = await messagesBetween(tx, seen, end)
    .innerJoin('direct_participant', 'direct_participant.conversation_id', 'message.conversation_id')
    .select('direct_participant.user_id as bot_id')
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
    .select(['subscription.user_id as bot_id', 'stream.name_key as stream', 'topic.name as topic'])
    .where('subscription.is_active', '=', 1)
    .where('subscription.user_id', 'in', dialectOf(tx.chat).idsIn([...filters.keys()]))
    .execute()
  return rows.flatMap(({ stream, topic, ...row }) => {
    const filter = filters.get(row.bot_id)!
    const through =
      (filter.stream === undefined || fold(filter.stream) === stream) &&
      (filter.topic === undefined || fold(filter.topic) === fold(topic))
    return through ? [{ ...row, trigger: 'message' as const }] : []
  })
}
