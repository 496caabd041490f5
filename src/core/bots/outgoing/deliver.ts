import type { Selectable } from 'kysely'
import { AddressRefused, type PostAnswer } from '../../../network/post.ts'
import { isSet, type OutgoingDeliveryTable, StorageError } from '../../../storage/index.ts'
import { accessMessage, participantsOf } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, callerOf, contextOf, type Tx } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { findUser } from '../../kernel/user.ts'
import { postMessage } from '../../messages/send/post-message.ts'
import { prepare, withWidget } from '../../messages/send/prepare.ts'
import { resolveRecipient } from '../../messages/send/recipient.ts'
import { messageViews } from '../../messages/view.ts'
import { notifyOwner } from '../owner-notice.ts'
import { botProfile } from '../profiles/profile.ts'
import { requestOf } from './payload.ts'
import { postOf } from './post-of.ts'
import { type Reply, replyIn } from './reply.ts'
import type { Trigger } from './triggers.ts'

type Delivery = Selectable<OutgoingDeliveryTable>

/** Seconds to wait after each failure. After the last one, the delivery is given up. */
const WAITS = [5, 30, 120, 600, 3600]
/** Failures stored per bot. */
const KEPT_FAILURES = 100
const MAX_FAILURE_LENGTH = 300

/** A failure that retrying can't fix. */
class Final extends Error {}

/** Posts one message to its receiver. The reply and the end of the delivery are one commit. */
export async function deliver(chat: Chat, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const context = contextOf(chat)
  const user = await findUser(context.db, delivery.bot_id)
  const { service } = await botProfile(context, delivery.bot_id)
  const bot = user?.is_active && service ? callerOf(chat, user, { client: 'outgoing webhook' }) : undefined
  const outgoing = bot && (await messageFor(bot, delivery))
  // The bot or the message is gone, or the bot may no longer read it.
  if (!bot || !service || !outgoing) return drop(chat, delivery.id)
  try {
    const { url, ...request } = { url: service.payload_url, ...requestOf(bot, service, outgoing, delivery.id) }
    const answer = await postOf(chat)({ url, ...request, signal })
    requireSuccess(answer)
    await finish(bot, delivery, replyTo(answer))
  } catch (error) {
    if (signal.aborted || error instanceof StorageError) throw error
    await noteFailure(chat, delivery, error)
  }
}

async function messageFor(bot: Caller, { message_id, trigger }: Delivery) {
  try {
    const { content } = await accessMessage(bot, message_id)
    const options = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }
    const [message] = await messageViews(bot, [message_id], options)
    return message && { message, content, trigger: trigger as Trigger }
  } catch (error) {
    if (isChatError(error)) return undefined
    throw error
  }
}

function requireSuccess({ status }: PostAnswer): void {
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400)
    throw new Final(`the receiver answered with a redirect (${status}), and none is followed`)
  const message = `the receiver answered with status ${status}`
  throw status >= 500 || status === 408 || status === 429 ? new Error(message) : new Final(message)
}

function replyTo({ body }: PostAnswer): Reply | undefined {
  try {
    return replyIn(body)
  } catch (error) {
    throw new Final((error as Error).message)
  }
}

async function finish(bot: Caller, delivery: Delivery, reply: Reply | undefined): Promise<void> {
  if (reply === undefined) return drop(bot.chat, delivery.id)
  const { content, widget, isPrivate } = reply
  const plain = await prepare(bot, content)
  const prepared = widget === undefined ? plain : await withWidget(bot, plain, widget)
  await bot.write(async (tx) => {
    const gone = await tx.db
      .deleteFrom('outgoing_delivery')
      .where('id', '=', delivery.id)
      .returning('id')
      .executeTakeFirst()
    if (gone)
      await postMessage(tx, await placeOf(tx, delivery.message_id, isPrivate), prepared, { read_by_sender: false })
  })
}

/** Returns where the message is now, for a reply, or the conversation with its sender. */
async function placeOf(tx: Tx, message_id: number, isPrivate: boolean) {
  const message = await accessMessage(tx, message_id)
  if (isPrivate) return resolveRecipient(tx, { type: 'private', to: [message.sender_id], topic: undefined })
  if (message.topic_id === null) {
    const to = await participantsOf(tx.db, message.conversation_id)
    return resolveRecipient(tx, { type: 'private', to, topic: undefined })
  }
  const { name } = await tx.db
    .selectFrom('topic')
    .select('name')
    .where('id', '=', message.topic_id)
    .executeTakeFirstOrThrow()
  return resolveRecipient(tx, { type: 'stream', to: message.conversation_id, topic: name })
}

const drop = async (chat: Chat, id: number): Promise<void> => {
  await contextOf(chat).write(({ db }) => db.deleteFrom('outgoing_delivery').where('id', '=', id).execute())
}

async function noteFailure(chat: Chat, delivery: Delivery, error: unknown): Promise<void> {
  const final = error instanceof Final || error instanceof AddressRefused || isChatError(error)
  const wait = final ? undefined : WAITS[delivery.attempts]
  const failure = String(error instanceof Error ? error.message : error).slice(0, MAX_FAILURE_LENGTH)
  const attempts = delivery.attempts + 1
  const now = seconds(chat.clock)
  await contextOf(chat).write(async (tx) => {
    const { db } = tx
    await db
      .updateTable('outgoing_delivery')
      .set({ attempts, failure, failed: wait === undefined ? 1 : 0, next_at: now + (wait ?? 0) })
      .where('id', '=', delivery.id)
      .execute()
    if (wait !== undefined) return
    await notifyOwner(
      tx,
      delivery.bot_id,
      'given-up',
      (bot) =>
        `A message could not be delivered to ${bot}, and the server gave up: ${failure}. Its settings list failed deliveries.`,
    )
    const oldest = await db
      .selectFrom('outgoing_delivery')
      .select('id')
      .where('bot_id', '=', delivery.bot_id)
      .where('failed', '=', isSet)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(KEPT_FAILURES)
      .executeTakeFirst()
    if (!oldest) return
    await db
      .deleteFrom('outgoing_delivery')
      .where('bot_id', '=', delivery.bot_id)
      .where('failed', '=', isSet)
      .where('id', '<=', oldest.id)
      .execute()
  })
}
