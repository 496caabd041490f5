import { fold } from '../../../storage/index.ts'
import type { Tx } from '../../kernel/context.ts'
import { resolvingNotices } from '../../settings/user.ts'
import { subscribersAmong } from '../../streams/subscribers.ts'
import { followersOf } from '../../streams/user-topics.ts'
import type { Destination } from './move-details.ts'

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
