import { isSet } from '../../storage/index.ts'
import { type Message, participantsOf } from '../access/messages.ts'
import { defineCacheById } from '../kernel/cache.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isBot } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { findUsers } from './access.ts'

/** Who has blocked a person, by the person's ID. Cached, because every direct message reads it. */
export const blockersOf = defineCacheById('blockers', async (db, user_id) => {
  const rows = await db
    .selectFrom('muted_user')
    .select('user_id')
    .where('muted_user_id', '=', user_id)
    .where('is_blocked', '=', isSet)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
})

/** The error for people who may not write direct messages. Blocked people get the same one, so it doesn't give the block away. */
export const noAuthorizedUsers = () => badRequest('This conversation does not include any users who can authorize it.')

/**
 * Throws if only two people take part in a conversation, and one of them has blocked the other. A bot counts as its owner
 * if it writes, and other bots don't count. The only place that decides.
 */
export async function requireUnblocked(caller: Caller, people: readonly User[]): Promise<void> {
  const { user } = caller
  if (user.is_system_bot) return
  const own = user.bot_owner_id ?? user.id
  const ids = new Set([own, ...people.filter((one) => !isBot(one)).map(({ id }) => id)])
  if (ids.size !== 2) return
  const other = [...ids].find((id) => id !== own)!
  if ((await blockersOf.get(caller, other)).includes(own))
    throw badRequest('You have blocked this person. Unblock them to write to each other.')
  if ((await blockersOf.get(caller, own)).includes(other)) throw noAuthorizedUsers()
}

/** The same for a change of a message, which its readers notice: an edit, a reaction or a vote. */
export async function requireUnblockedIn(
  caller: Caller,
  { conversation_id, topic_id }: Pick<Message, 'conversation_id' | 'topic_id'>,
): Promise<void> {
  if (topic_id !== null) return
  const people = await findUsers(caller, await participantsOf(caller.db, conversation_id))
  await requireUnblocked(caller, [...people.values()])
}
