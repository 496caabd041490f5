import { statement } from '../../storage/index.ts'
import { messageRow } from '../access/message-visibility.ts'
import { unknownAmong } from '../access/user-visibility.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Caller } from '../kernel/context.ts'
import { publicUrlOf, servedHtml } from '../kernel/public-url.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { byDialect, dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { topicLinksOf } from '../organization/linkifiers/topic-links.ts'
import { isReadBy, receivedBy } from '../read-state/conditions.ts'
import { flagsOf } from '../read-state/flags-of.ts'
import type { MessageView } from '../shapes/message.ts'
import { findUsers } from '../users/access.ts'
import { avatarUrl, shownAvatarUrl } from '../users/avatars/avatar-url.ts'
import { placeholderEmail, unknownPerson } from '../users/unknown-user.ts'
import { editHistories } from './history.ts'
import { displayPeople } from './send/message-event.ts'

export interface MessageViewOptions {
  apply_markdown: boolean
  client_gravatar: boolean
  allow_empty_topic_name: boolean
}

type ForIds = { message_ids: readonly number[] }

const rowsOf = byDialect(({ idsIn }) =>
  statement((db, p: ForIds & { user_id: number }) =>
    db
      .selectFrom('message')
      .innerJoin('user as sender', 'sender.id', 'message.sender_id')
      .leftJoin('topic', 'topic.id', 'message.topic_id')
      .leftJoin('stream', 'stream.id', 'message.conversation_id')
      .leftJoin('message_flag', (join) =>
        join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', p.user_id),
      )
      .selectAll('message')
      .select([
        'sender.email as sender_email',
        'sender.full_name as sender_full_name',
        'sender.avatar_source',
        'sender.avatar_version',
        'topic.name as topic',
        'stream.name as stream',
        'message_flag.flags',
      ])
      .select([isReadBy(messageRow, p.user_id).as('is_read'), receivedBy(messageRow, p.user_id).as('received')])
      .where('message.id', 'in', idsIn(p.message_ids))
      .orderBy('message.id'),
  ),
)
const reactionRows = byDialect(({ idsIn }) =>
  statement((db, p: ForIds) =>
    db
      .selectFrom('reaction')
      .select(['message_id', 'user_id', 'emoji_name', 'emoji_code', 'reaction_type'])
      .where('message_id', 'in', idsIn(p.message_ids))
      .orderBy('id'),
  ),
)
const submessageRows = byDialect(({ idsIn }) =>
  statement((db, p: ForIds) =>
    db.selectFrom('submessage').selectAll().where('message_id', 'in', idsIn(p.message_ids)).orderBy('id'),
  ),
)

/** Returns a few messages as the API shows them, with the caller's flags and their histories. */
export async function messageViews(
  caller: Caller,
  message_ids: readonly number[],
  options: MessageViewOptions,
): Promise<MessageView[]> {
  const views = await currentViews(caller, message_ids, options)
  const byId = new Map(views.map((view) => [view.id, view]))
  for await (const [id, edit_history] of editHistories(
    caller,
    views.filter(hasChanged).map((view) => view.id),
  )) {
    byId.get(id)!.edit_history = edit_history
  }
  return views
}

export const hasChanged = (view: MessageView): boolean =>
  view.last_edit_timestamp !== undefined || view.last_moved_timestamp !== undefined

/**
 * Returns messages as the API shows them, with the caller's flags but without their histories. The number of queries
 * doesn't depend on the number of messages.
 */
export async function currentViews(
  caller: Caller,
  message_ids: readonly number[],
  options: MessageViewOptions,
): Promise<MessageView[]> {
  if (message_ids.length === 0) return []
  const { db, user, chat } = caller
  const rows = await rowsOf(chat)(db, { message_ids, user_id: user.id })
  const isPublic = isSpectator(user)
  // Email addresses aren't public.
  if (isPublic) for (const row of rows) row.sender_email = placeholderEmail(chat.options.publicUrl, row.sender_id)
  const direct = [...new Set(rows.filter((row) => row.topic_id === null).map((row) => row.conversation_id))]
  const people = await peopleOf(caller, direct)
  const reactions = grouped(await reactionRows(chat)(db, { message_ids }))
  const submessages = groupBy(await submessageRows(chat)(db, { message_ids }), (row) => row.message_id)
  const linksOf = await topicLinksOf(
    caller,
    rows.flatMap((row) => row.topic ?? []),
  )
  const unknown = await unknownAmong(
    caller,
    rows.map((row) => row.sender_id),
  )
  return rows.map((row) => ({
    id: row.id,
    sender_id: row.sender_id,
    content: options.apply_markdown ? servedHtml(chat, row.rendered_content) : row.content,
    content_type: options.apply_markdown ? 'text/html' : 'text/x-markdown',
    recipient_id: row.conversation_id,
    timestamp: row.sent_at,
    client: row.client,
    ...(row.topic_id === null
      ? {
          type: 'private' as const,
          display_recipient: displayPeople(people.get(row.conversation_id) ?? []),
          subject: '',
        }
      : {
          type: 'stream' as const,
          stream_id: row.conversation_id,
          display_recipient: row.stream!,
          subject: displayTopicName(row.topic ?? '', options.allow_empty_topic_name),
        }),
    is_me_message: row.is_me_message === 1,
    reactions: reactions.get(row.id) ?? [],
    submessages: submessages.get(row.id) ?? [],
    topic_links: row.topic === null ? [] : [...linksOf(row.topic)],
    sender_full_name: row.sender_full_name,
    sender_email: row.sender_email,
    sender_realm_str: '',
    avatar_url: shownAvatarUrl(
      avatarUrl(caller.chat, { ...row, id: row.sender_id, email: row.sender_email, full_name: row.sender_full_name }),
      options.client_gravatar,
    ),
    ...(unknown.has(row.sender_id) && unknownSender(caller.chat, row.sender_id)),
    ...(row.edited_at !== null && { last_edit_timestamp: row.edited_at }),
    ...(row.moved_at !== null && { last_moved_timestamp: row.moved_at }),
    flags: isPublic ? ['read' as const] : flagsOf(row, user.id),
  }))
}

/** Replaces a sender who is hidden from the reader. */
function unknownSender(chat: Chat, sender_id: number) {
  const { full_name: sender_full_name, email: sender_email, avatar_url } = unknownPerson(publicUrlOf(chat), sender_id)
  return { sender_full_name, sender_email, avatar_url }
}

async function peopleOf(caller: Caller, conversation_ids: readonly number[]) {
  if (conversation_ids.length === 0) return new Map<number, User[]>()
  const rows = await caller.db
    .selectFrom('direct_participant')
    .selectAll()
    .where('conversation_id', 'in', dialectOf(caller.chat).idsIn(conversation_ids))
    .orderBy('user_id')
    .execute()
  const users = await findUsers(caller, [...new Set(rows.map((row) => row.user_id))])
  return groupBy(
    rows,
    (row) => row.conversation_id,
    (row) => users.get(row.user_id)!,
  )
}

const grouped = <R extends { message_id: number }>(rows: readonly R[]): Map<number, Omit<R, 'message_id'>[]> =>
  groupBy(
    rows,
    (row) => row.message_id,
    ({ message_id: _, ...rest }) => rest,
  )
