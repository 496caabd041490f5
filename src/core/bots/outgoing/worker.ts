import { isUnset, statement } from '../../../storage/index.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { type MessageWorker, startMessageWorker } from '../../messages/send/message-workers.ts'
import { outgoingBots } from '../profiles/outgoing-bots.ts'
import { deliver } from './deliver.ts'
import { noteMessages } from './triggers.ts'

/** After a power failure, the deliveries are created again because progress is lost with them. */
const RELAXED = { relaxed: true }

const nextDeliveries = statement((db, _: object) =>
  db
    .selectFrom('outgoing_delivery')
    .select((eb) => ['bot_id', eb.fn.min('next_at').as('next_at')])
    .where('failed', '=', isUnset)
    .groupBy('bot_id'),
)

/** Follows messages and posts them to outgoing webhooks: one at a time to each, but to all of them in parallel. */
export function startOutgoing(chat: Chat): MessageWorker {
  const context = contextOf(chat)
  /** Whether nothing is left to post. Only if such bots exist can a message add something. */
  let isIdle = false
  const hasBots = async () => (await outgoingBots.get(context)).length > 0

  async function deliverAll(bot_id: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && leads(chat) && (await organizationIsOpen.get(context))) {
      const next = await storeOf(chat)
        .db.selectFrom('outgoing_delivery')
        .selectAll()
        .where('bot_id', '=', bot_id)
        .where('failed', '=', isUnset)
        .where('next_at', '<=', seconds(chat.clock))
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (!next) return
      await deliver(chat, next, signal)
    }
  }

  return startMessageWorker(chat, {
    name: 'outgoing webhooks',
    failure: 'an outgoing webhook failed',
    receiver: 'bot_id',
    isNeeded: async () => !isIdle || (await hasBots()),
    async note() {
      if (await hasBots()) while (await context.write(noteMessages, RELAXED));
    },
    async startDue({ underWay, signal, start }) {
      const rows = await nextDeliveries(storeOf(chat).db, {})
      isIdle = rows.length === 0
      const now = seconds(chat.clock)
      for (const { bot_id, next_at } of rows) {
        if (next_at <= now && !underWay.has(bot_id)) start(bot_id, deliverAll(bot_id, signal))
      }
      const later = rows.flatMap(({ next_at }) => (next_at > now ? [next_at] : []))
      return later.length > 0 ? Math.min(...later) : undefined
    },
  })
}
