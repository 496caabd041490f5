import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** Emails that a link in them ends. */
export const subscriptions = ['missed_messages', 'digest'] as const
export type Subscription = (typeof subscriptions)[number]

/** Path of the pages that end emails; what they end and a token follow. */
export const UNSUBSCRIBE_PATH = '/accounts/unsubscribe'

/** The token works as long as the account exists, and gives no other rights. */
const tokenOf = (chat: Chat, user_id: number, kind: Subscription): string =>
  `${user_id}-${secretsOf(chat).digest(`unsubscribe ${kind} ${user_id}`)}`

export const unsubscribeUrl = (chat: Chat, user_id: number, kind: Subscription): string =>
  `${publicUrlOf(chat)}${UNSUBSCRIBE_PATH}/${kind}/${tokenOf(chat, user_id, kind)}`

/** Returns the account of an unsubscribe link; undefined if the token is wrong. */
export function userOfToken(chat: Chat, token: string, kind: Subscription): number | undefined {
  const id = Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0)
  return isSameSecret(token, tokenOf(chat, id, kind)) ? id : undefined
}
