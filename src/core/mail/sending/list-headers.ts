import type { Chat } from '../../kernel/chat.ts'
import { inHeader } from '../letter.ts'
import { type Unsubscribing, unsubscribeUrl } from '../unsubscribe-link.ts'

/** Returns the headers of emails that a mail program can stop with one click (RFC 8058), and the link that does it. */
export function listHeaders(
  chat: Chat,
  { organization, ...link }: Unsubscribing & { organization: string },
): { stop: string; headers: Readonly<Record<string, string>> } {
  const stop = unsubscribeUrl(chat, link)
  const { hostname } = new URL(chat.options.publicUrl)
  return {
    stop,
    headers: {
      'list-id': `${inHeader(organization).replace(/[<>"]/g, '')} <${hostname}>`,
      'list-unsubscribe': `<${stop}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
  }
}
