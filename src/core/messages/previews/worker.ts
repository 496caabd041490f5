import { flag } from '../../../storage/index.ts'
import { readableFiles } from '../../access/files.ts'
import { readersOf } from '../../access/messages.ts'
import { emit } from '../../events/log/emit.ts'
import { claimFiles } from '../../files/claims.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { callerOf, contextOf, onBehalfOf, organizationIsOpen } from '../../kernel/context.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import { findUser } from '../../kernel/user.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { LinkPreviews } from '../send/message-workers.ts'
import { linksToPreview } from './links.ts'
import { type Preview, previewOf } from './preview.ts'

/** Messages whose links are read at the same time. */
const AT_ONCE = 4
/** Further messages get no preview, so that a flood of links is not a flood of requests. */
const MAX_WAITING = 1000

/** Adds previews to messages with links, if the organization has them. Messages of an ended process stay without. */
export function startLinkPreviews(chat: Chat): LinkPreviews {
  const abort = new AbortController()
  const { signal } = abort
  const context = contextOf(chat)
  const waiting = new Set<number>()
  const underWay = new Set<Promise<void>>()

  function startNext(): void {
    for (const id of waiting) {
      if (signal.aborted || underWay.size >= AT_ONCE) return
      waiting.delete(id)
      const work = addPreviews(id)
        .catch((error) => {
          if (!signal.aborted) chat.options.logger.error({ err: error, id }, 'adding link previews failed')
        })
        .finally(() => {
          underWay.delete(work)
          startNext()
        })
      underWay.add(work)
    }
  }

  const messageOf = (id: number) => context.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst()

  async function addPreviews(id: number): Promise<void> {
    if (!(await settingsOf(context)).inline_url_embed_preview || !(await organizationIsOpen.get(context))) return
    const message = await messageOf(id)
    const sender = message && (await findUser(context.db, message.sender_id))
    if (!message || !sender) return
    const author = callerOf(chat, sender)
    const previews: Preview[] = []
    for (const url of linksToPreview(message)) {
      // Addresses that can't be reached, or that nobody should ask, get no preview.
      const preview = await previewOf(author, url, signal).catch(() => undefined)
      if (preview) previews.push(preview)
    }
    if (previews.length > 0 && !signal.aborted) await show(id, message.content, previews)
  }

  const show = (id: number, content: string, previews: readonly Preview[]): Promise<void> =>
    context.write(async (tx) => {
      const message = await tx.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst()
      // An edit asks for its own previews.
      if (!message || message.content !== content) return
      // After two edits, the text may be the first one again, whose previews were asked for twice.
      if (message.rendered_content.includes('<div class="message_embed">')) return
      const sender = await findUser(tx.db, message.sender_id)
      const paths = previews.flatMap(({ path }) => path ?? [])
      const rendered_content = message.rendered_content + previews.map(({ html }) => `\n${html}`).join('')
      await tx.db.updateTable('message').set({ rendered_content }).where('id', '=', id).execute()
      if (sender && paths.length > 0) await claimFiles(tx, id, await readableFiles(onBehalfOf(tx, sender), paths))
      await emit(
        tx,
        {
          type: 'update_message',
          user_id: null,
          edit_timestamp: seconds(chat.clock),
          message_id: id,
          message_ids: [id],
          rendering_only: true,
          ...(message.topic_id !== null && { stream_id: message.conversation_id }),
          content,
          rendered_content: servedHtml(chat, rendered_content),
          is_me_message: message.is_me_message === flag(true),
        },
        await readersOf(tx, message),
      )
    })

  return {
    add(id) {
      if (signal.aborted || waiting.size >= MAX_WAITING) return
      waiting.add(id)
      startNext()
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async stop() {
      abort.abort()
      await Promise.allSettled(underWay)
    },
  }
}
