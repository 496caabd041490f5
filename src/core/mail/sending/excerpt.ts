import { messageRow, visibleTo } from '../../access/message-visibility.ts'
import type { Caller } from '../../kernel/context.ts'
import { escapeText } from '../../markup/html.ts'
import { plainText } from '../../markup/plain-text.ts'
import { messageViews } from '../../messages/view.ts'
import type { MessageView } from '../../shapes/message.ts'
import type { Part } from '../letter.ts'
import { atTime, type Reader } from '../reader.ts'

/** Earlier messages of a topic that explain a mention, and how old they may be, in seconds. */
const MAX_EARLIER = 10
const EARLIER_SECONDS = 900

/** Returns messages of a conversation with the ones of its topic right before the first mention, which explain it. */
export async function withContext(reader: Caller, messages: readonly MessageView[]): Promise<MessageView[]> {
  const mention = messages.find(({ type, flags }) => type === 'stream' && flags.includes('mentioned'))
  const before = mention ? await messagesBefore(reader, mention) : []
  const all = new Map([...before, ...messages].map((message) => [message.id, message]))
  return [...all.values()].sort((a, b) => a.id - b.id)
}

async function messagesBefore(reader: Caller, message: MessageView): Promise<MessageView[]> {
  const { db, user } = reader
  const place = await db.selectFrom('message').select('topic_id').where('id', '=', message.id).executeTakeFirst()
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('topic_id', '=', place?.topic_id ?? null)
    .where('id', '<', message.id)
    .where('sent_at', '>=', message.timestamp - EARLIER_SECONDS)
    .where(visibleTo(messageRow, user))
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER)
    .execute()
  const ids = rows.map(({ id }) => id).reverse()
  return messageViews(reader, ids, { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true })
}

/** Shows a message with its sender and time. */
export function excerpt(message: MessageView, reader: Reader): Part {
  const { missed } = reader.texts
  const text = plainText(withoutSpoilers(message.content, missed.hidden))
  const time = atTime(message.timestamp, reader)
  const name = message.sender_full_name
  const head = `<strong>${escapeText(name)}</strong> <span style="opacity:.75">${escapeText(time)}</span>`
  return {
    plain: `${missed.message(name, time)}\n${text.replace(/^/gm, '  ')}`,
    // The message has a direction of its own.
    html: `<p style="margin:0">${head}</p>\n<p dir="auto" style="margin:0 0 16px">${escapeText(text).replaceAll('\n', '<br>')}</p>`,
  }
}

const HIDDEN = '<div class="spoiler-content"'

/** Returns rendered HTML without the hidden parts of spoilers, which only a click in the chat shows. */
function withoutSpoilers(html: string, hidden: string): string {
  const start = html.indexOf(HIDDEN)
  if (start === -1) return html
  let depth = 0
  for (const { 0: tag, index } of html.slice(start).matchAll(/<(\/?)div\b[^>]*>/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    if (depth > 0) continue
    return html.slice(0, start) + hidden + withoutSpoilers(html.slice(start + index + tag.length), hidden)
  }
  return html.slice(0, start)
}
