import { isUnset } from '../../../storage/index.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { notifyOwner } from '../owner-notice.ts'

/** Messages of bots in a row, each soon after the one before, after which a bot gets no more of them. */
const MAX_HOPS = 10
const SOON_SECONDS = 60
/** Messages that wait to be delivered to one bot. */
export const MAX_WAITING = 1000

export type Reason = 'loop' | 'waiting'

const texts: Readonly<Record<Reason, (bot: string) => string>> = {
  loop: (bot) =>
    `${bot} was in a loop: bots posted more than ${MAX_HOPS} messages in a row. It receives no more of them until a person writes there, or nobody has for a minute. To stop receiving messages from bots, clear \`bot_messages\` in its configuration.`,
  waiting: (bot) =>
    `${MAX_WAITING} messages are waiting for ${bot}, so it won't receive new ones until there are fewer. Check whether the server at its endpoint URL responds.`,
}

interface Place {
  message_id: number
  topic_id: number | null
  conversation_id: number
}

/** Whether a bot's message is one of so many in a row that programs are answering each other. */
export async function isLoop({ db }: SystemTx, { message_id, topic_id, conversation_id }: Place): Promise<boolean> {
  const newest = await db
    .selectFrom('message')
    .innerJoin('user as sender', 'sender.id', 'message.sender_id')
    .select(['message.sent_at', 'sender.bot_type'])
    .where((eb) => (topic_id === null ? eb('conversation_id', '=', conversation_id) : eb('topic_id', '=', topic_id)))
    .where('message.id', '<=', message_id)
    .orderBy('message.id', 'desc')
    .limit(MAX_HOPS + 1)
    .execute()
  return (
    newest.length > MAX_HOPS &&
    newest.every(({ bot_type, sent_at }, i) => {
      const later = newest[i - 1]
      return bot_type !== null && (!later || later.sent_at - sent_at < SOON_SECONDS)
    })
  )
}

/** How many deliveries wait for a bot. */
export async function waitingFor({ db }: SystemTx, bot_id: number): Promise<number> {
  const rows = await db
    .selectFrom('outgoing_delivery')
    .select('id')
    .where('bot_id', '=', bot_id)
    .where('failed', '=', isUnset)
    .limit(MAX_WAITING)
    .execute()
  return rows.length
}

/** Notifies a bot's owner why it gets no messages. */
export const notifyOfHold = (tx: SystemTx, bot_id: number, reason: Reason): Promise<void> =>
  notifyOwner(tx, bot_id, reason, texts[reason])
