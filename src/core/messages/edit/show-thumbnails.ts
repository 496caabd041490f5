import { flag } from '../../../storage/index.ts'
import { readersOf } from '../../access/messages.ts'
import { emit } from '../../events/log/emit.ts'
import { filesOf } from '../../files/claims.ts'
import { isLoading } from '../../files/shown-images.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import { withReadyImages } from '../send/ready-images.ts'

/** Messages changed in one write, which keeps it short. */
const BATCH = 20

/** Changes the messages that wait for a file's thumbnail, after it was made or has failed. */
export async function showThumbnails(chat: Chat, file_id: number): Promise<void> {
  const context = contextOf(chat)
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await context.write((tx) => showIn(tx, file_id, from))
  }
}

/** Returns the last checked message if there may be more. */
async function showIn(tx: SystemTx, file_id: number, after: number): Promise<number | undefined> {
  const messages = await tx.db
    .selectFrom('message_file')
    .innerJoin('message', 'message.id', 'message_file.message_id')
    .selectAll('message')
    .where('message_file.file_id', '=', file_id)
    .where('message.id', '>', after)
    .orderBy('message.id')
    .limit(BATCH)
    .execute()
  for (const message of messages) {
    const { id, rendered_content: before } = message
    if (!isLoading(before)) continue
    const rendered_content = withReadyImages(before, await filesOf(tx, [id]))
    if (rendered_content === before) continue
    await tx.db.updateTable('message').set({ rendered_content }).where('id', '=', id).execute()
    const stream_id = message.topic_id === null ? undefined : message.conversation_id
    await emit(
      tx,
      {
        type: 'update_message',
        user_id: null,
        edit_timestamp: seconds(tx.chat.clock),
        message_id: id,
        message_ids: [id],
        rendering_only: true,
        ...(stream_id !== undefined && { stream_id }),
        content: message.content,
        rendered_content: servedHtml(tx.chat, rendered_content),
        is_me_message: message.is_me_message === flag(true),
      },
      await readersOf(tx, message),
    )
  }
  return messages.length === BATCH ? messages.at(-1)!.id : undefined
}
