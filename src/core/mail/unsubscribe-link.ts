import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** Emails that a link in them ends. */
export const subscriptions = ['missed_messages', 'digest', 'topic'] as const

/** What a link ends: emails of one kind, or the ones about a topic. */
export type Subscription =
  | { kind: Exclude<(typeof subscriptions)[number], 'topic'> }
  | { kind: 'topic'; topic_id: number }

/** What a link that was checked ends, and whose it is. */
export type Unsubscribing = Subscription & { user_id: number }

/** Path of the pages that end emails; what they end and a token follow. */
export const UNSUBSCRIBE_PATH = '/accounts/unsubscribe'

/** The token works as long as the account exists, and gives no other rights. */
function tokenOf(chat: Chat, link: Unsubscribing): string {
  const ids = link.kind === 'topic' ? [link.user_id, link.topic_id] : [link.user_id]
  return `${ids.join('-')}-${secretsOf(chat).digest(`unsubscribe ${link.kind} ${ids.join(' ')}`)}`
}

export const unsubscribeUrl = (chat: Chat, link: Unsubscribing): string =>
  `${publicUrlOf(chat)}${UNSUBSCRIBE_PATH}/${link.kind}/${tokenOf(chat, link)}`

/** Returns what an unsubscribe link ends; undefined if the token is wrong. */
export function linkOfToken(
  chat: Chat,
  token: string,
  kind: (typeof subscriptions)[number],
): Unsubscribing | undefined {
  const [, user = '', topic = ''] = /^(\d{1,15})-(?:(\d{1,15})-)?/.exec(token) ?? []
  const user_id = Number(user)
  const link: Unsubscribing = kind === 'topic' ? { kind, user_id, topic_id: Number(topic) } : { kind, user_id }
  return isSameSecret(token, tokenOf(chat, link)) ? link : undefined
}
