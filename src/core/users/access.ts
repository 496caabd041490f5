import { addressKey, type Db, statement } from '../../storage/index.ts'
import { unknownAmong } from '../access/user-visibility.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { dialectOf } from '../kernel/store.ts'
import { findUser, type User, userColumns } from '../kernel/user.ts'

const byEmail = statement((db, p: { email_key: string }) =>
  db.selectFrom('user').select(userColumns).where('email_key', '=', p.email_key),
)

export const findUserByEmail = async (db: Db, email: string): Promise<User | undefined> =>
  (await byEmail(db, { email_key: addressKey(email) }))[0]

/** Returns these users by id. Missing ones are left out. */
export async function findUsers(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  ids: readonly number[],
): Promise<Map<number, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('user').select(userColumns).where('id', 'in', dialectOf(chat).idsIn(ids)).execute()
  return new Map(rows.map((user) => [user.id, user]))
}

/**
 * Returns a user by id. Throws BAD_REQUEST "No such user", and "Insufficient permission" if the user is hidden from
 * the caller.
 */
export const accessUser = async (caller: Caller, id: number): Promise<User> =>
  requireKnown(caller, await findUser(caller.db, id))

/** Returns the given user if the caller may see them. Throws the same errors as `accessUser`. */
export async function requireKnown(caller: Caller, user: User | undefined): Promise<User> {
  if (!user) throw badRequest('No such user')
  if ((await unknownAmong(caller, [user.id])).size > 0) throw badRequest('Insufficient permission')
  return user
}
