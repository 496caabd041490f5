import * as v from 'valibot'
import { accessMessage, participantsOf, readersOf } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import { strangersTo } from '../access/user-visibility.ts'
import type { Audience } from '../events/log/audience.ts'
import { emit, writeTransient } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, invalidStream } from '../kernel/errors.ts'
import { described, id, text } from '../kernel/fields.ts'
import type { User } from '../kernel/user.ts'
import { userSettingOf, usersWithoutTyping } from '../settings/user.ts'
import { empty } from '../shapes/values.ts'
import { accessStream, canReadStream } from '../streams/access.ts'
import { requirePosting, resolvePeople, resolveTopic, type To, to } from './send/recipient.ts'

const op = v.picklist(['start', 'stop'])
type Op = v.InferOutput<typeof op>

/**
 * POST /typing: reports that the caller started or stopped typing, to users or in a topic.
 *
 * @throws BAD_REQUEST if the user has typing notifications off, for an unknown stream or unknown users
 * @example
 * await setTyping(caller, { op: 'start', to: [user_id] })
 */
export const setTyping = action(
  {
    name: 'setTyping',
    summary: 'Set typing status',
    params: v.object({
      op: described(op, '"start" or "stop".'),
      type: described(
        v.nullish(v.picklist(['direct', 'private', 'stream', 'channel']), 'direct'),
        '"direct" or "stream".',
      ),
      // Old clients name users by email address, like in a send.
      to: described(v.nullish(to), 'IDs of the recipients, for direct messages.'),
      stream_id: described(v.nullish(id), 'ID of the channel.'),
      topic: described(v.nullish(text), 'The topic, at most 60 characters. Only for channels.'),
    }),
    result: empty,
  },
  async (caller, { op, type, to, stream_id, topic }) => {
    if (type === 'stream' || type === 'channel') {
      // In older clients `to` is the stream's id.
      const first = typeof to === 'object' ? to?.[0] : to
      const where = stream_id ?? first
      if (typeof where !== 'number') throw badRequest("Missing 'stream_id' argument")
      await typeInTopic(caller, op, where, topic)
    } else {
      if (to == null) throw badRequest("Missing 'to' argument")
      if (typeof to === 'object' && to.length === 0) throw badRequest("Empty 'to' list")
      await typeToPeople(caller, op, to)
    }
    return {}
  },
)

async function typeInTopic(caller: Caller, op: Op, stream_id: number, requested: string | null | undefined) {
  if (!(await userSettingOf(caller, 'send_stream_typing_notifications'))) {
    throw badRequest('User has disabled typing notifications for channel messages')
  }
  const stream = await accessStream(caller, stream_id)
  if (!canReadStream(stream, caller.user)) throw invalidStream()
  await requirePosting(caller, stream)
  const topic = resolveTopic(requested)
  const sender = person(caller.user)
  const event = { type: 'typing', op, message_type: 'stream', sender, stream_id, topic } as const
  await writeTransient(caller, async (tx) => {
    // Subscribers of a stream can see each other.
    const strangers = stream.subscribed ? [] : await strangersTo(tx, tx.user)
    return emit(tx, event, { stream: stream_id, except: [...(await usersWithoutTyping(tx)), ...strangers] })
  })
}

async function typeToPeople(caller: Caller, op: Op, to: To) {
  if (!(await userSettingOf(caller, 'send_private_typing_notifications'))) {
    throw badRequest('User has disabled typing notifications for direct messages')
  }
  const people = await resolvePeople(caller, to)
  const sender = person(caller.user)
  const event = { type: 'typing', op, message_type: 'direct', sender, recipients: people.map(person) } as const
  await writeTransient(caller, async (tx) => {
    const refused = new Set([...(await usersWithoutTyping(tx)), ...(await strangersTo(tx, tx.user))])
    const users = people.map((user) => user.id).filter((id) => !refused.has(id))
    if (users.length > 0) await emit(tx, event, { users })
  })
}

/**
 * POST /messages/{message_id}/typing: reports that the caller started or stopped editing one of their messages.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for another user's message, and if
 * the user has typing notifications off
 */
export const setTypingForEdit = action(
  {
    name: 'setTypingForEdit',
    summary: 'Set typing status for message editing',
    params: v.object({
      message_id: described(id, 'ID of the message.'),
      op: described(op, '"start" or "stop".'),
    }),
    result: empty,
  },
  async (caller, { message_id, op }) => {
    const message = await accessMessage(caller, message_id)
    if (message.sender_id !== caller.user.id) throw badRequest("You don't have permission to edit this message")
    const inStream = message.topic_id !== null
    const setting = inStream ? 'send_stream_typing_notifications' : 'send_private_typing_notifications'
    if (!(await userSettingOf(caller, setting))) {
      throw badRequest(`User has disabled typing notifications for ${inStream ? 'channel' : 'direct'} messages`)
    }
    const recipient = await recipientOf(caller, message)
    const event = { type: 'typing_edit_message', op, sender_id: caller.user.id, message_id, recipient } as const
    const { stream, since_message, users }: Audience = await readersOf(caller, message)
    // Readers without a subscription get no typing notifications.
    const readers: Audience =
      stream === undefined ? { users: users! } : { stream, ...(since_message !== undefined && { since_message }) }
    await writeTransient(caller, async (tx) => {
      const except = [...(await usersWithoutTyping(tx)), ...(await strangersTo(tx, tx.user))]
      return emit(tx, event, { ...readers, except })
    })
    return {}
  },
)

async function recipientOf(caller: Caller, message: { conversation_id: number; topic_id: number | null }) {
  const { conversation_id, topic_id } = message
  if (topic_id === null) return { type: 'direct' as const, user_ids: await participantsOf(caller.db, conversation_id) }
  return { type: 'channel' as const, channel_id: conversation_id, topic: await topicNameOf(caller.db, topic_id) }
}

const person = ({ id: user_id, email }: User) => ({ user_id, email })
