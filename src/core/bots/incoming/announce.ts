import * as v from 'valibot'
import type { Caller } from '../../kernel/context.ts'
import { digest } from '../../kernel/digest.ts'
import { badRequest, isChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { once } from '../../kernel/idempotency.ts'
import type { Transport } from '../../kernel/transport.ts'
import { postMessage } from '../../messages/send/post-message.ts'
import { prepare } from '../../messages/send/prepare.ts'
import { resolveRecipient } from '../../messages/send/recipient.ts'
import { notifyOwner } from '../owner-notice.ts'
import { botProfile } from '../profiles/profile.ts'
import { type Incoming, noteRecorded, recordDelivery, recordRejected } from './deliveries.ts'
import type { Announcement, Skipped } from './format/event.ts'
import { code, fitted, silenced, untrustedLine } from './format/text.ts'

/**
 * Parameters for the destination of an integration's messages. The owner puts them into the address that the other
 * service posts to.
 */
export const placeParams = {
  stream: described(
    v.nullish(text),
    "Name or ID of the channel. Defaults to the bot's default channel, or to its owner if it has none.",
  ),
  topic: described(v.nullish(text), 'The topic. By default, the event determines it.'),
}
export type Place = v.InferOutput<v.ObjectSchema<typeof placeParams, undefined>>

/** What all integrations share: the key is in the address, and bots that may only send can use them. */
export const received = {
  credentials: 'query',
  body: { types: ['application/json'], param: 'payload' },
} as const satisfies Transport
export const receiving = {
  ...received,
  idempotencyKey: 'own',
  forWebhooks: true,
  rejected: recordRejected,
  errors: ['STREAM_DOES_NOT_EXIST'],
} as const

/**
 * Announces an event where the address says, and lists it among the bot's deliveries, whatever becomes of it. An event that is
 * sent again within 24 hours returns the first message.
 *
 * @param read makes the message; what it throws is listed, too
 * @throws ChatError as sendMessage; BAD_REQUEST where there is neither a channel nor an owner
 */
export async function receive(
  caller: Caller,
  incoming: Incoming,
  place: Place,
  read: () => Announcement | Skipped | Promise<Announcement | Skipped>,
): Promise<{ id?: number }> {
  try {
    const announcement = await read()
    if ('skipped' in announcement) {
      await caller.write((tx) => recordDelivery(tx, incoming, { outcome: 'ignored', detail: announcement.skipped }))
      return {}
    }
    return await announceOnce(caller, incoming, place, announcement)
  } catch (error) {
    if (!isChatError(error)) throw error
    await caller.write((tx) => recordDelivery(tx, incoming, { outcome: 'failed', detail: error.message }))
    noteRecorded(error)
    if (error.code === 'STREAM_DOES_NOT_EXIST') {
      const words = (bot: string) =>
        `A request from ${incoming.integration} to ${bot} specified a channel that doesn't exist, or that the bot can't access. The message wasn't sent. ${code(error.message)}`
      await caller.write((tx) => notifyOwner(tx, caller.user.id, 'no-channel', words))
    }
    throw error
  }
}

/** Announces an event once for each `Idempotency-Key` of the request, or else for each delivery of the service. */
function announceOnce(caller: Caller, incoming: Incoming, place: Place, announcement: Announcement) {
  const { integration, delivery, payload } = incoming
  const rule = { name: 'receive', rule: 'one write' } as const
  const run = (by: Caller) => announce(by, incoming, place, announcement)
  if (caller.idempotencyKey !== undefined) return once(caller, rule, [integration, place, payload], run)
  if (!delivery) return run(caller)
  // Two addresses of one bot may get the same event, and so may one address with different payloads.
  return once({ ...caller, idempotencyKey: digest([integration, delivery, place, payload]) }, rule, null, run)
}

async function announce(
  caller: Caller,
  incoming: Incoming,
  { stream, topic }: Place,
  announcement: Announcement,
): Promise<{ id: number }> {
  const { user } = caller
  const to = stream || (await botProfile(caller, user.id)).default_sending_stream
  if (!to && user.bot_owner_id === null)
    throw badRequest("Missing 'stream' argument: this account has no owner to write to")
  const subject = topic ?? announcement.topic
  const { content } = announcement
  const text = silenced(to || subject === '' ? content : `**${untrustedLine(subject)}**\n${content}`)
  const prepared = await prepare(caller, fitted(text, caller.chat.options.limits.messageBytes))
  return caller.write(async (tx) => {
    const recipient = await resolveRecipient(
      tx,
      to
        ? { type: 'stream', to: /^\d{1,15}$/.test(to) ? Number(to) : to, topic: subject }
        : { type: 'private', to: [user.bot_owner_id!], topic: undefined },
    )
    const id = await postMessage(tx, recipient, prepared, { read_by_sender: false })
    await recordDelivery(tx, incoming, { outcome: 'sent', message_id: id })
    return { id }
  })
}
