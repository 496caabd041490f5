import * as v from 'valibot'
import { accessMessage } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import { action } from '../kernel/action.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id } from '../kernel/fields.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { dialectOf } from '../kernel/store.ts'
import { diffHtml } from '../markup/diff.ts'
import { settingsOf } from '../settings/organization.ts'
import { type EditHistoryEntry, type MessageSnapshot, messageSnapshotShape } from '../shapes/message.ts'

/**
 * Returns the changes of these messages, newest first, as `edit_history` shows them: as much as the organization's
 * settings allow.
 */
export async function editHistories(caller: Caller, message_ids: readonly number[]) {
  const histories = new Map<number, EditHistoryEntry[]>()
  if (message_ids.length === 0) return histories
  const { message_edit_history_visibility_policy: visible } = await settingsOf(caller)
  if (visible === 'none') return histories
  for (const row of await editsOf(caller, message_ids)) {
    if (visible === 'moves' && !isMove(row)) continue
    const entry: EditHistoryEntry = {
      user_id: row.user_id,
      timestamp: row.edited_at,
      ...(row.prev_content !== null &&
        visible === 'all' && {
          prev_content: row.prev_content,
          prev_rendered_content: row.prev_rendered_content,
        }),
      ...(row.prev_topic !== null && { prev_topic: row.prev_topic, topic: row.topic }),
      ...(row.prev_stream_id !== null && { prev_stream: row.prev_stream_id, stream: row.stream_id }),
    }
    const list = histories.get(row.message_id)
    if (list) list.push(entry)
    else histories.set(row.message_id, [entry])
  }
  return histories
}

const isMove = (row: { prev_topic: string | null; prev_stream_id: number | null }): boolean =>
  row.prev_topic !== null || row.prev_stream_id !== null

/** Edits of these messages, newest first. */
const editsOf = ({ db, chat }: Caller, message_ids: readonly number[]) =>
  db
    .selectFrom('message_edit')
    .selectAll()
    .where('message_id', 'in', dialectOf(chat).idsIn(message_ids))
    .orderBy('id', 'desc')
    .execute()

/**
 * GET /messages/{message_id}/history: returns a message's original content, and each change.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also if the organization's settings hide
 * it
 */
export const getHistory = action(
  {
    name: 'getHistory',
    summary: "Get a message's edit history",
    params: v.object({
      message_id: described(id, 'Id of the message.'),
      allow_empty_topic_name: described(
        v.nullish(bool, false),
        'Show the empty topic by its empty name; otherwise by the name that clients without empty topics know.',
      ),
    }),
    result: v.strictObject({ message_history: v.array(messageSnapshotShape) }),
  },
  async (caller, { message_id, allow_empty_topic_name }) => {
    const message = await accessMessage(caller, message_id)
    const { message_edit_history_visibility_policy: visible } = await settingsOf(caller)
    if (visible === 'none') throw badRequest('Message edit history is disabled in this organization')
    const shown = (topic: string) =>
      message.topic_id === null ? topic : displayTopicName(topic, allow_empty_topic_name)
    // From the current version back to the first.
    let { content } = message
    let rendered_content = servedHtml(caller.chat, message.rendered_content)
    let topic = message.topic_id === null ? '' : await topicNameOf(caller.db, message.topic_id)
    const entries: MessageSnapshot[] = []
    for (const edit of await editsOf(caller, [message_id])) {
      if (visible === 'moves' && !isMove(edit)) continue
      const now = { topic: shown(topic), content, rendered_content, user_id: edit.user_id, timestamp: edit.edited_at }
      const before: Partial<MessageSnapshot> = {}
      if (edit.prev_content !== null && visible === 'all') {
        const prev_rendered_content = servedHtml(caller.chat, edit.prev_rendered_content ?? '')
        before.prev_content = edit.prev_content
        before.prev_rendered_content = prev_rendered_content
        before.content_html_diff = diffHtml(prev_rendered_content, rendered_content)
        content = edit.prev_content
        rendered_content = prev_rendered_content
      }
      if (edit.prev_topic !== null) {
        before.prev_topic = shown(edit.prev_topic)
        topic = edit.prev_topic
      }
      if (edit.prev_stream_id !== null) {
        before.prev_stream = edit.prev_stream_id
        before.stream = edit.stream_id
      }
      entries.push({ ...now, ...before })
    }
    const { sender_id, sent_at } = message
    entries.push({ topic: shown(topic), content, rendered_content, user_id: sender_id, timestamp: sent_at })
    return { message_history: entries.reverse() }
  },
)
