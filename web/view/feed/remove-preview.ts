import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../../model/state/session.ts'
import { textOf } from './quote.ts'

const LINK = /<div class="message_embed_title"><a href="([^"]+)"/g

/** Whether a message has previews of links. */
export const hasPreview = ({ content }: Message): boolean => content.includes('<div class="message_embed">')

/** Writes the addresses of a message's links between < and >, for which the server makes no preview. */
export async function removePreviews(session: Session, message: Message): Promise<void> {
  let content = await textOf(session, message)
  for (const [, href] of message.content.matchAll(LINK)) {
    const url = href!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    // An address alone gets a text, because its brackets would be shown.
    content = content.replaceAll(`](${url})`, `](<${url}>)`).replace(linkTo(url), (typed) => `[${typed}](<${url}>)`)
  }
  await session.client.updateMessage({ message_id: message.id, content })
}

/** Matches an address alone as people write it, with or without its scheme. */
function linkTo(url: string): RegExp {
  const rest = url
    .replace(/^https?:\/\//, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\/$/, '/?')
  return new RegExp(`(?<![<\\w/.(\\[])(?:https?://)?${rest}(?![\\w>])`, 'gi')
}
