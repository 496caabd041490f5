import type { Selectable } from 'kysely'
import { AddressRefused } from '../../network/post.ts'
import { StorageError, type WebPushDeliveryTable, type WebPushSubscriptionTable } from '../../storage/index.ts'
import { visibleIds } from '../access/messages.ts'
import { notifiedFrom } from '../accounts/notified-from.ts'
import { postOf } from '../bots/outgoing/post-of.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Caller, callerOf, contextOf } from '../kernel/context.ts'
import { findUser } from '../kernel/user.ts'
import { messageViews } from '../messages/view.ts'
import type { MessageView } from '../shapes/message.ts'
import { presentUntil } from './note-messages.ts'
import { requestFor } from './request.ts'

type Delivery = Selectable<WebPushDeliveryTable>
type Subscription = Selectable<WebPushSubscriptionTable>

/** Seconds to wait after each failure. After the last one, the delivery is given up. */
export const WAITS = [5, 30, 120, 600, 3600]

/** Statuses that mean that the subscription is gone, or was made with keys that this server doesn't have. */
const ENDED = new Set([401, 403, 404, 410])
/** Returns whether a retry may succeed. */
export const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429

/** Notifies a browser of the next message, unless its user is present or has read it since. */
export async function deliverNext(chat: Chat, subscription_id: number, signal: AbortSignal): Promise<void> {
  const { db } = contextOf(chat)
  const subscription = await db
    .selectFrom('web_push_subscription')
    .selectAll()
    .where('id', '=', subscription_id)
    .executeTakeFirst()
  const delivery = await db
    .selectFrom('web_push_delivery')
    .selectAll()
    .where('subscription_id', '=', subscription_id)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  // It has ended since.
  if (!subscription || !delivery) return
  const user = await findUser(db, subscription.user_id)
  const reader = user?.is_active ? callerOf(chat, user, { client: 'web push' }) : undefined
  const message = reader && (await unreadMessage(reader, delivery.message_id))
  if (!message || (await isPresent(reader))) return drop(chat, delivery)
  try {
    const request = await requestFor(reader, subscription, message)
    const { status } = await postOf(chat)({ ...request, signal })
    if (ENDED.has(status)) await end(chat, subscription, `its push service responded with status ${status}`)
    else if (isPassing(status)) await later(chat, delivery)
    else await drop(chat, delivery)
  } catch (error) {
    if (signal.aborted || error instanceof StorageError) throw error
    if (error instanceof AddressRefused) await end(chat, subscription, error.message)
    else await later(chat, delivery)
  }
}

export const unreadMessage = async (reader: Caller, message_id: number): Promise<MessageView | undefined> =>
  (await unreadMessages(reader, [message_id]))[0]

/** Returns the messages that the reader can see and has not read, by id. */
export async function unreadMessages(reader: Caller, message_ids: readonly number[]): Promise<MessageView[]> {
  const options = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }
  const messages = await messageViews(reader, await visibleIds(reader, message_ids), options)
  return messages.filter((message) => !message.flags.includes('read')).sort((a, b) => a.id - b.id)
}

export async function isPresent(reader: Caller): Promise<boolean> {
  const until = (await presentUntil(reader, [reader.user.id])).get(reader.user.id) ?? 0
  return seconds(reader.chat.clock) < until
}

const drop = (chat: Chat, { id }: Delivery): Promise<void> =>
  contextOf(chat).write(
    async ({ db }) => void (await db.deleteFrom('web_push_delivery').where('id', '=', id).execute()),
  )

async function later(chat: Chat, delivery: Delivery): Promise<void> {
  const wait = WAITS[delivery.attempts]
  if (wait === undefined) return drop(chat, delivery)
  const changes = { attempts: delivery.attempts + 1, next_at: seconds(chat.clock) + wait }
  await contextOf(chat).write(({ db }) =>
    db.updateTable('web_push_delivery').set(changes).where('id', '=', delivery.id).execute(),
  )
}

/** Ends a subscription and its pending deliveries. */
async function end(chat: Chat, { id, user_id }: Subscription, reason: string): Promise<void> {
  await contextOf(chat).write(async (tx) => {
    await tx.db.deleteFrom('web_push_subscription').where('id', '=', id).execute()
    notifiedFrom.invalidate(tx)
  })
  chat.options.logger.info({ user_id, reason }, 'push notifications to a browser were stopped')
}
