import { fold } from '../../../storage/index.ts'
import { lengthOf, MAX_TOPIC_LENGTH } from '../../kernel/base/limits.ts'
import { RESOLVED_PREFIX } from '../../kernel/base/topic-name.ts'
import type { Tx } from '../../kernel/context.ts'
import { resolvingNotices } from '../../settings/user.ts'
import { subscribersAmong } from '../../streams/subscribers.ts'
import { followersOf } from '../../streams/user-topics.ts'
import type { Destination } from './move-details.ts'

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX)

const withoutResolvedPrefix = (topic: string): string => topic.replace(/^[✔ ]+/, '')

/** The prefix must not make a name too long. */
export const truncateResolved = (topic: string): string =>
  isResolved(topic) && lengthOf(withoutResolvedPrefix(topic)) <= MAX_TOPIC_LENGTH
    ? [...topic].slice(0, MAX_TOPIC_LENGTH).join('')
    : topic

/** Whether the new name only marks the topic as resolved, or as unresolved. */
export const isResolveToggle = (from: string, to: string): boolean =>
  isResolved(to)
    ? !isResolved(from) && to === truncateResolved(RESOLVED_PREFIX + from)
    : isResolved(from) && to === withoutResolvedPrefix(from)

/**
 * Returns the users who get the notice as unread: followers of the topic, unless they always want such notices as read,
 * and users who never do. Only these users get a row.
 */
export async function unreadForNotice(tx: Tx, { stream, topic }: Destination): Promise<number[]> {
  const { always, never } = await resolvingNotices(tx)
  const users = new Set([...never, ...(await followersOf(tx, stream.id, fold(topic)))])
  for (const id of always) users.delete(id)
  return subscribersAmong(tx, stream.id, [...users])
}
