import type { Conversation } from '../reading/conversations.ts'
import type { Session } from '../state/session.ts'

/** In streams with more subscribers, the page asks before everyone is mentioned. */
export const MANY = 15

const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[ \t]*$|(?![\s\S]))/gm
const MENTION = /(?<![^\s'"({[/<:>*~|])@\*\*(?:all|everyone|channel|stream)\*\*/

/** Whether a text mentions everyone in the stream, outside of code and quotes. */
export const mentionsEverybody = (text: string): boolean =>
  MENTION.test(
    text
      .replace(FENCED, '')
      .replace(/^>.*$/gm, '')
      .replace(/`[^`\n]*`/g, ''),
  )

/** How many people are in the stream of a conversation. */
export async function peopleIn({ client }: Session, conversation: Conversation): Promise<number> {
  if (conversation.type === 'direct') return conversation.user_ids.length
  return (await client.getSubscribers({ stream_id: conversation.stream_id })).subscribers.length
}
