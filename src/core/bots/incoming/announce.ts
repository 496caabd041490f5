import * as v from 'valibot'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import type { Transport } from '../../kernel/transport.ts'
import { sendMessage } from '../../messages/send/send.ts'
import { botProfile } from '../profiles/profile.ts'
import type { Announcement, Reader } from './event.ts'

/**
 * Parameters for the destination of an integration's messages. The owner puts them into the address that the other
 * service posts to.
 */
export const placeParams = {
  stream: described(
    v.nullish(text),
    "Name of the stream; without it the bot's default stream, and without that its owner, in a direct message.",
  ),
  topic: described(v.nullish(text), 'The topic; without it one that follows from the event.'),
}
export type Place = v.InferOutput<v.ObjectSchema<typeof placeParams, undefined>>

/** What all integrations share: the key is in the address, and bots that may only send can use them. */
export const received = {
  credentials: 'query',
  body: { types: ['application/json'], param: 'payload' },
} as const satisfies Transport
export const receiving = {
  ...received,
  // An event that the service repeats after a lost response is announced once if the service names its events.
  idempotencyKey: 'several writes',
  forWebhooks: true,
  errors: ['STREAM_DOES_NOT_EXIST'],
} as const

/**
 * Sends the message of an integration.
 *
 * @throws ChatError like `sendMessage`; BAD_REQUEST if there is neither a stream nor an owner
 */
export async function announce(caller: Caller, { stream, topic }: Place, announcement: Announcement): Promise<number> {
  const { user } = caller
  const to = stream || (await botProfile(caller, user.id)).default_sending_stream
  const { content } = announcement
  if (to) {
    return (await sendMessage(caller, { type: 'stream', to, topic: topic ?? announcement.topic, content })).id
  }
  if (user.bot_owner_id === null) throw badRequest("Missing 'stream' argument: this account has no owner to write to")
  const subject = topic ?? announcement.topic
  const text = subject === '' ? content : `**${subject}**\n${content}`
  return (await sendMessage(caller, { type: 'private', to: [user.bot_owner_id], content: text })).id
}

/** Reads an event with a service's table of event types, and sends the announcement if there is one. */
export async function announceEvent(
  caller: Caller,
  place: Place,
  readers: Readonly<Record<string, Reader>>,
  event: string,
  payload: unknown,
): Promise<{ id?: number }> {
  const reader = Object.hasOwn(readers, event) ? readers[event] : undefined
  const announcement = reader?.(payload, event)
  return announcement ? { id: await announce(caller, place, announcement) } : {}
}
