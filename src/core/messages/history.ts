import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { MessageEditTable } from '../../storage/index.ts'
import { accessMessage } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import { action } from '../kernel/action.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id } from '../kernel/fields.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { pacer } from '../kernel/slices.ts'
import { dialectOf } from '../kernel/store.ts'
import { diffHtml } from '../markup/diff.ts'
import { settingsOf } from '../settings/organization.ts'
import { type EditHistoryEntry, type MessageSnapshot, messageSnapshotShape } from '../shapes/message.ts'

/**
 * Yields the changes of these messages, newest first, as `edit_history` shows them: as much as the organization's
 * settings allow. Keeps the order of the messages, skips those without such changes, and reads only what is consumed.
 */
export async function* editHistories(
  caller: Caller,
  message_ids: readonly number[],
): AsyncGenerator<readonly [message_id: number, history: EditHistoryEntry[]]> {
  if (message_ids.length === 0) return
  const { message_edit_history_visibility_policy: visible } = await settingsOf(caller)
  if (visible === 'none') return
  for await (const [message_id, edits] of editsOf(caller, message_ids)) {
    const history = edits
      .filter((row) => visible === 'all' || isMove(row))
      .map((row) => ({
        user_id: row.user_id,
        timestamp: row.edited_at,
        ...(row.prev_content !== null &&
          visible === 'all' && {
            prev_content: row.prev_content,
            prev_rendered_content: row.prev_rendered_content,
          }),
        ...(row.prev_topic !== null && { prev_topic: row.prev_topic, topic: row.topic }),
        ...(row.prev_stream_id !== null && { prev_stream: row.prev_stream_id, stream: row.stream_id }),
      }))
    if (history.length > 0) yield [message_id, history]
  }
}

const isMove = (row: { prev_topic: string | null; prev_stream_id: number | null }): boolean =>
  row.prev_topic !== null || row.prev_stream_id !== null

type Edit = Selectable<MessageEditTable>

/** Edits read at a time. */
const PAGE = 100

/** Yields the edits of each message, newest first. Lets other work run between pages. */
async function* editsOf(
  caller: Caller,
  message_ids: readonly number[],
): AsyncGenerator<readonly [message_id: number, edits: Edit[]]> {
  const turn = pacer(caller)
  for (const group of await groupsOf(caller, message_ids)) {
    const edits: Edit[] = []
    for (let size = PAGE; size === PAGE; ) {
      const page = await pageOfEdits(caller, group, edits.at(-1)?.id)
      edits.push(...page)
      size = group.length === 1 ? page.length : 0
      await turn()
    }
    const byMessage = groupBy(edits, (edit) => edit.message_id)
    for (const id of group) yield [id, byMessage.get(id) ?? []]
  }
}

/** Returns the messages that have edits, in groups that fit into one page. */
async function groupsOf({ db, chat }: Caller, message_ids: readonly number[]): Promise<number[][]> {
  const counts = await db
    .selectFrom('message_edit')
    .select((eb) => ['message_id', eb.fn.countAll<number>().as('count')])
    .where('message_id', 'in', dialectOf(chat).idsIn(message_ids))
    .groupBy('message_id')
    .execute()
  const countOf = new Map(counts.map((row) => [row.message_id, row.count]))
  const groups: number[][] = []
  let size = PAGE
  for (const id of message_ids) {
    const count = countOf.get(id)
    if (count === undefined) continue
    if (size + count > PAGE) {
      groups.push([])
      size = 0
    }
    groups.at(-1)!.push(id)
    size += count
  }
  return groups
}

function pageOfEdits({ db, chat }: Caller, group: readonly number[], before: number | undefined): Promise<Edit[]> {
  const [only] = group
  const edits = db.selectFrom('message_edit').selectAll().orderBy('id', 'desc')
  if (group.length > 1) return edits.where('message_id', 'in', dialectOf(chat).idsIn(group)).execute()
  return edits
    .where('message_id', '=', only!)
    .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .limit(PAGE)
    .execute()
}

async function allEdits(caller: Caller, message_id: number): Promise<Edit[]> {
  for await (const [, edits] of editsOf(caller, [message_id])) return edits
  return []
}

/** Replaces a text that was dropped. */
const DROPPED = 'This version is no longer stored.'

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
      message_id: described(id, 'ID of the message.'),
      allow_empty_topic_name: described(
        v.nullish(bool, false),
        'Whether to return empty topic names unchanged instead of as `realm_empty_topic_display_name`.',
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
    const turn = pacer(caller)
    for (const edit of await allEdits(caller, message_id)) {
      await turn()
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
      } else if (!isMove(edit) && visible === 'all') {
        content = DROPPED
        rendered_content = `<p>${DROPPED}</p>`
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
