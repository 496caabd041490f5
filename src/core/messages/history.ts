import type { Caller } from '../caller.ts'
import { settingsOf } from '../organization/settings.ts'

/** What changed on these messages, newest first, as `edit_history` shows it; nothing where the organization hides it. */
export async function editHistories(caller: Caller, message_ids: readonly number[]) {
  const histories = new Map<number, object[]>()
  if (message_ids.length === 0 || !(await settingsOf(caller)).allow_edit_history) return histories
  const rows = await caller.db
    .selectFrom('message_edit')
    .selectAll()
    .where('message_id', 'in', caller.chat.store.dialect.idsIn(message_ids))
    .orderBy('id', 'desc')
    .execute()
  for (const row of rows) {
    const entry = {
      user_id: row.user_id,
      timestamp: row.edited_at,
      ...(row.prev_content !== null && {
        prev_content: row.prev_content,
        prev_rendered_content: row.prev_rendered_content,
        prev_rendered_content_version: 1,
      }),
      ...(row.prev_topic !== null && { prev_topic: row.prev_topic, topic: row.topic }),
      ...(row.prev_stream_id !== null && { prev_stream: row.prev_stream_id, stream: row.stream_id }),
    }
    histories.set(row.message_id, [...(histories.get(row.message_id) ?? []), entry])
  }
  return histories
}
