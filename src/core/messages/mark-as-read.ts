import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { accessTopic } from '../access/topics.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { storedTopicName } from '../kernel/base/topic-name.ts'
import { described, id, none, text } from '../kernel/fields.ts'
import { whileMore } from '../kernel/slices.ts'
import { flagsEvent } from '../read-state/mark-messages.ts'
import { readAllOf } from '../read-state/read-ranges.ts'
import { readSlice } from '../read-state/read-slice.ts'
import { conversationsWithUnread } from '../read-state/unread-conversations.ts'
import { empty } from '../shapes/values.ts'
import { accessStream } from '../streams/access.ts'

/**
 * POST /mark_all_as_read: marks all messages as read.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 * @example
 * await markAllAsRead(caller)
 */
export const markAllAsRead = action(
  { name: 'markAllAsRead', summary: 'Mark all messages as read', params: none, result: empty },
  (caller) =>
    caller.write(async (tx) => {
      await readAllOf(tx, [tx.user.id], await conversationsWithUnread(tx))
      await tx.db
        .updateTable('message')
        .set({ read_by_sender: 1 })
        .where('sender_id', '=', tx.user.id)
        .where('read_by_sender', '=', isUnset)
        .execute()
      await emit(tx, flagsEvent('add', 'read', [], true), only(tx.user.id))
      return {}
    }),
)

/**
 * POST /mark_stream_as_read: marks a stream as read.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const markStreamAsRead = action(
  {
    name: 'markStreamAsRead',
    summary: 'Mark messages in a channel as read',
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: empty,
  },
  async (caller, { stream_id }) => {
    await whileMore(caller, async (tx) => {
      await accessStream(tx, stream_id)
      return readSlice(tx, { conversation_ids: [stream_id] })
    })
    return {}
  },
)

/**
 * POST /mark_topic_as_read: marks a topic as read.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream; "No such topic"
 */
export const markTopicAsRead = action(
  {
    name: 'markTopicAsRead',
    summary: 'Mark messages in a topic as read',
    params: v.object({
      stream_id: described(id, 'ID of the channel.'),
      topic_name: described(text, 'Name of the topic.'),
    }),
    result: empty,
  },
  async (caller, { stream_id, topic_name }) => {
    await whileMore(caller, async (tx) => {
      await accessStream(tx, stream_id)
      const topic_id = await accessTopic(tx, stream_id, storedTopicName(topic_name.trim()))
      return readSlice(tx, { conversation_ids: [stream_id], topic_id })
    })
    return {}
  },
)
