import { notifiedFrom } from '../accounts/notified-from.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf } from '../kernel/context.ts'
import { storeOf } from '../kernel/store.ts'
import { type MessageWorker, startMessageWorker } from '../messages/send/message-workers.ts'
import { deliverNext } from './deliver.ts'
import { noteMessages, ofBrowsers } from './note-messages.ts'

/** Notifications in progress, one per browser. */
const AT_ONCE = 20
/** After a power failure, the deliveries are created again because progress is lost with them. */
const RELAXED = { relaxed: true }

/** Follows messages and notifies browsers of them. */
export function startWebPush(chat: Chat): MessageWorker {
  const context = contextOf(chat)
  return startMessageWorker(chat, {
    name: 'web push',
    failure: 'sending a push notification failed',
    receiver: 'subscription_id',
    isNeeded: async () => (await notifiedFrom.get(context)) !== null,
    async note() {
      while (await context.write((tx) => noteMessages(tx, ofBrowsers), RELAXED));
    },
    /** Starts with the longest waiting ones. */
    async startDue({ underWay, signal, start }) {
      const { db, dialect } = storeOf(chat)
      const now = seconds(chat.clock)
      const waiting = await db
        .selectFrom('web_push_delivery')
        .select((eb) => ['subscription_id', eb.fn.min('next_at').as('next_at')])
        .where('subscription_id', 'not in', dialect.idsIn([...underWay.keys()]))
        .groupBy('subscription_id')
        .orderBy('next_at')
        .limit(AT_ONCE)
        .execute()
      for (const { subscription_id, next_at } of waiting) {
        if (next_at > now) return next_at
        if (underWay.size < AT_ONCE) start(subscription_id, deliverNext(chat, subscription_id, signal))
      }
      return undefined
    },
  })
}
