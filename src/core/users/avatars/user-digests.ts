import type { Chat } from '../../kernel/chat.ts'
import { secretsOf } from '../../kernel/secrets.ts'

const MOST = 50_000

/** Returns a function that makes and remembers a part of a user's digest for this purpose. Digests don't reveal the ID. */
export function userDigests(
  purpose: string,
  part: (digest: string) => string,
): (chat: Chat, user_id: number) => string {
  const known = new WeakMap<Chat, Map<number, string>>()
  return (chat, user_id) => {
    const ofChat = known.get(chat) ?? new Map<number, string>()
    known.set(chat, ofChat)
    let found = ofChat.get(user_id)
    if (found === undefined) {
      found = part(secretsOf(chat).digest(`${purpose} ${user_id}`))
      if (ofChat.size >= MOST) ofChat.clear()
      ofChat.set(user_id, found)
    }
    return found
  }
}
