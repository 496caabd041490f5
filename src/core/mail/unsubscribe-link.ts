import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** Path of the page that ends emails about missed messages; a token follows. */
export const UNSUBSCRIBE_PATH = '/accounts/unsubscribe/missed_messages'

/** The token works as long as the account exists, and gives no other rights. */
const tokenOf = (chat: Chat, user_id: number): string =>
  `${user_id}-${secretsOf(chat).digest(`unsubscribe missed_messages ${user_id}`)}`

export const unsubscribeUrl = (chat: Chat, user_id: number): string =>
  `${publicUrlOf(chat)}${UNSUBSCRIBE_PATH}/${tokenOf(chat, user_id)}`

/** Returns the account of an unsubscribe link; undefined if the token is wrong. */
export function userOfToken(chat: Chat, token: string): number | undefined {
  const id = Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0)
  return isSameSecret(token, tokenOf(chat, id)) ? id : undefined
}
