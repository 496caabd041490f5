import * as v from 'valibot'
import { messageRow, visibleTo } from '../access/message-visibility.ts'
import { accessMessage, type Message, readersAndActor } from '../access/messages.ts'
import { requireVoice } from '../access/silence.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { isModerator } from '../kernel/roles.ts'
import { empty, unixTime } from '../shapes/values.ts'
import { type AccessedStream, accessStreamToRead, administersStream, findReadableStream } from '../streams/access.ts'

const message_id = described(id, 'ID of the message.')
const audit = { subject: 'message', id: (params: { message_id: number }) => params.message_id } as const

/**
 * GET /streams/{stream_id}/pinned_messages: lists the pinned messages of a channel that the caller can see, the newest
 * pin first. `GET /messages` with `message_ids` returns the messages themselves.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden channel
 */
export const listPinnedMessages = action(
  {
    name: 'listPinnedMessages',
    summary: 'List pinned messages of a channel',
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: v.strictObject({
      pinned_messages: v.array(v.strictObject({ message_id: id, topic: v.string(), user_id: id, pinned_at: unixTime })),
    }),
  },
  async (caller, { stream_id }) => {
    await accessStreamToRead(caller, stream_id)
    const pinned_messages = await caller.db
      .selectFrom('pinned_message')
      .innerJoin('message', 'message.id', 'pinned_message.message_id')
      .innerJoin('topic', 'topic.id', 'message.topic_id')
      .select(['message_id', 'topic.name as topic', 'pinned_message.user_id', 'pinned_at'])
      .where('pinned_message.stream_id', '=', stream_id)
      .where(visibleTo(messageRow, caller.user))
      .orderBy('pinned_at', 'desc')
      .orderBy('message_id', 'desc')
      .execute()
    return { pinned_messages }
  },
)

/**
 * POST /messages/{message_id}/pin: pins a message in its channel, for moderators and people who administer the channel.
 * The pin stays with the message when it moves. Pinning it again changes nothing.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for a direct message, without the
 * permission, in an archived channel, and for more than 100 messages of a channel
 */
export const pinMessage = action(
  {
    name: 'pinMessage',
    summary: 'Pin a message',
    audit,
    params: v.object({ message_id }),
    result: empty,
    errors: ['SILENCED'],
  },
  (caller, { message_id }) =>
    caller.write(async (tx) => {
      const { message, stream } = await accessToPin(tx, message_id)
      await requireVoice(tx)
      if (stream.is_archived === 1) throw badRequest('This channel is archived. Unarchive it to pin messages.')
      const there = await tx.db
        .selectFrom('pinned_message')
        .select('message_id')
        .where('stream_id', '=', stream.id)
        .execute()
      if (there.some((pin) => pin.message_id === message_id)) return {}
      const { pinsPerChannel } = tx.chat.options.limits
      if (there.length >= pinsPerChannel) {
        throw badRequest(`This channel has ${pinsPerChannel} pinned messages. Unpin one first.`)
      }
      const pin = { message_id, stream_id: stream.id, user_id: tx.user.id, pinned_at: seconds(tx.chat.clock) }
      await tx.db.insertInto('pinned_message').values(pin).execute()
      await announce(tx, message)
      return {}
    }),
)

/**
 * DELETE /messages/{message_id}/pin: unpins a message, with the same permission. For a message without a pin, it
 * changes nothing.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for a direct message, and without the
 * permission
 */
export const unpinMessage = action(
  { name: 'unpinMessage', summary: 'Unpin a message', audit, params: v.object({ message_id }), result: empty },
  (caller, { message_id }) =>
    caller.write(async (tx) => {
      const { message } = await accessToPin(tx, message_id)
      const removed = await tx.db
        .deleteFrom('pinned_message')
        .where('message_id', '=', message_id)
        .returning('message_id')
        .executeTakeFirst()
      if (removed) await announce(tx, message)
      return {}
    }),
)

/** A message that the caller may pin, and its channel. */
async function accessToPin(tx: Tx, message_id: number): Promise<{ message: Message; stream: AccessedStream }> {
  const message = await accessMessage(tx, message_id)
  if (message.topic_id === null) throw badRequest('Only messages in channels can be pinned.')
  const stream = await findReadableStream(tx, message.conversation_id)
  if (!stream || !(await mayPin(tx, stream))) {
    throw badRequest("You don't have permission to pin messages in this channel")
  }
  return { message, stream }
}

const mayPin = async (caller: Caller, stream: AccessedStream): Promise<boolean> =>
  isModerator(caller.user) || (await administersStream(caller, stream))

const announce = async (tx: Tx, message: Message): Promise<void> =>
  void (await emit(
    tx,
    { type: 'pinned_messages', stream_id: message.conversation_id },
    await readersAndActor(tx, message),
  ))
