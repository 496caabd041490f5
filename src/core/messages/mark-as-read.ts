import * as v from 'valibot'
import { fold, isUnset } from '../../storage/index.ts'
import { action } from '../action.ts'
import { badRequest } from '../errors.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { id, none, text } from '../fields.ts'
import { flagsEvent, markRead } from '../read-state/mark-read.ts'
import { readAllOf } from '../read-state/read-ranges.ts'
import { conversationsWithUnread } from '../read-state/unread-conversations.ts'
import { unreadOf } from '../read-state/unread-list.ts'
import { accessStream } from '../streams/access.ts'
import { findTopic } from './send/topics.ts'

/** POST /mark_all_as_read */
export const markAllAsRead = action({ summary: 'Mark all messages as read', params: none }, (caller) =>
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

/** POST /mark_stream_as_read */
export const markStreamAsRead = action(
  { summary: 'Mark messages in a stream as read', params: v.object({ stream_id: id }) },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      await markRead(tx, await unreadOf(tx, stream_id))
      return {}
    }),
)

/** POST /mark_topic_as_read */
export const markTopicAsRead = action(
  { summary: 'Mark messages in a topic as read', params: v.object({ stream_id: id, topic_name: text }) },
  (caller, { stream_id, topic_name }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      const topic_id = await findTopic(tx, stream_id, fold(topic_name.trim()))
      if (topic_id === undefined) throw badRequest(`No such topic '${topic_name}'`)
      await markRead(tx, await unreadOf(tx, stream_id, topic_id))
      return {}
    }),
)
