import { flag } from '../../../storage/index.ts'
import { type Message, participantsOf, readersOf } from '../../access/messages.ts'
import { emit } from '../../events/log/emit.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import { attachmentViews } from '../../files/attachment-view.ts'
import { changeClaims, planClaims } from '../../files/claims.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import { dialectOf } from '../../kernel/store.ts'
import { reindexMessage } from '../../narrow/search/text.ts'
import { bits } from '../../read-state/flag-bits.ts'
import { requireAccepted } from '../../review/filters/require.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import type { AttachmentView } from '../../shapes/attachment.ts'
import { findUsers } from '../../users/access.ts'
import { placeOf } from '../move/relocate.ts'
import { applying, reportFlagged } from '../send/content-filters.ts'
import { isFree } from '../send/direct-permission.ts'
import { requireGroupMentions } from '../send/group-mentions.ts'
import { mentionsOf } from '../send/mentions.ts'
import { linkPreviewsOf } from '../send/message-workers.ts'
import type { Prepared } from '../send/prepare.ts'
import { withReadyImages } from '../send/ready-images.ts'
import type { Recipient } from '../send/recipient.ts'
import { requireWildcard } from '../send/wildcards.ts'
import { dropOldTexts } from './old-texts.ts'

/**
 * Changes a message's content, stores the previous one, and updates its mentions and alert words. Returns the editor's
 * files that messages no longer refer to.
 */
export async function editContent(
  tx: Tx,
  message: Message,
  { content, rendered, matches: all }: Prepared,
): Promise<AttachmentView[]> {
  const recipient = await recipientOfRow(tx, message)
  const matches = all.length === 0 ? all : applying(tx, recipient, all)
  requireAccepted(matches)
  if (recipient.kind === 'stream' || !isFree(tx, recipient.people)) await requireEstablished(tx)
  if (recipient.kind === 'stream') {
    // Only new mentions need a permission.
    const streamWildcard = rendered.streamWildcard && message.stream_wildcard === 0
    const topicWildcard = rendered.topicWildcard && message.topic_wildcard === 0
    await requireWildcard(tx, recipient.stream, message.topic_id!, { ...rendered, streamWildcard, topicWildcard })
  }
  await requireGroupMentions(tx, rendered)
  const claims = await planClaims(tx, message.id, rendered.attachmentPaths)
  // Thumbnails may have been made since the text was rendered.
  const html = withReadyImages(rendered.html, claims.files)
  const edited_at = seconds(tx.chat.clock)
  await tx.db
    .insertInto('message_edit')
    .values({
      message_id: message.id,
      user_id: tx.user.id,
      edited_at,
      prev_content: message.content,
      prev_rendered_content: message.rendered_content,
    })
    .execute()
  await dropOldTexts(tx, message.id)
  const inStream = message.topic_id !== null
  await tx.db
    .updateTable('message')
    .set({
      content,
      rendered_content: html,
      edited_at,
      stream_wildcard: flag(inStream && rendered.streamWildcard),
      topic_wildcard: flag(inStream && rendered.topicWildcard),
      has_link: flag(rendered.hasLink),
      has_image: flag(rendered.hasImage),
      has_attachment: flag(claims.files.length > 0),
      is_me_message: flag(rendered.isMeMessage),
    })
    .where('id', '=', message.id)
    .execute()
  await reindexMessage(tx, message.id, html)
  await updateMentions(tx, message.id, await mentionsOf(tx, { ...message, content }, recipient, rendered))
  const event: LoggedEvent<'update_message'> = {
    type: 'update_message',
    user_id: tx.user.id,
    edit_timestamp: edited_at,
    message_id: message.id,
    message_ids: [message.id],
    rendering_only: false,
    ...(recipient.kind === 'stream' && { stream_id: recipient.stream.id, stream_name: recipient.stream.name }),
    orig_content: message.content,
    orig_rendered_content: servedHtml(tx.chat, message.rendered_content),
    content,
    rendered_content: servedHtml(tx.chat, html),
    is_me_message: rendered.isMeMessage,
  }
  await emit(tx, event, await readersOf(tx, message))
  await reportFlagged(tx, { ...message, content }, matches)
  if (rendered.hasLink) tx.afterCommit(() => linkPreviewsOf(tx.chat).add(message.id))
  return attachmentViews(tx, await changeClaims(tx, message.id, claims))
}

async function recipientOfRow(tx: Tx, message: Message): Promise<Recipient> {
  const { conversation_id } = message
  if (message.topic_id !== null) {
    const { stream, topic } = await placeOf(tx, message)
    return { kind: 'stream', conversation_id, stream, topic }
  }
  const people = await findUsers(tx, await participantsOf(tx.db, conversation_id))
  return { kind: 'direct', conversation_id, people: [...people.values()] }
}

/** Flags that follow from the content. */
const contentFlags = bits.mentioned | bits.has_alert_word | bits.topic_wildcard_mentioned

/** Replaces the flags that follow from the old content with the new content's. Personal flags stay. */
async function updateMentions(tx: Tx, message_id: number, requested: ReadonlyMap<number, number>): Promise<void> {
  const before = await tx.db
    .selectFrom('message_flag')
    .select(['user_id', 'flags'])
    .where('message_id', '=', message_id)
    .execute()
  const kept = new Map(before.map((row) => [row.user_id, row.flags & ~contentFlags]))
  for (const [user_id, flags] of requested) kept.set(user_id, (kept.get(user_id) ?? 0) | flags)
  await tx.db.deleteFrom('message_flag').where('message_id', '=', message_id).execute()
  const values = [...kept].filter(([, flags]) => flags !== 0).map(([user, flags]) => [user, flags])
  if (values.length === 0) return
  await tx.db
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'flags'])
    .expression((eb) =>
      eb
        .selectFrom(dialectOf(tx.chat).rows(['user_id', 'flags'], values).as('flagged'))
        .select(['flagged.user_id', eb.val(message_id).as('message_id'), 'flagged.flags']),
    )
    .execute()
}
