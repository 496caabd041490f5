import { fold } from '../../storage/columns.ts'
import type { Db } from '../../storage/connection.ts'
import { statement } from '../../storage/statement.ts'
import type { User, Visitor } from '../context.ts'
import { badRequest } from '../errors.ts'

/** What is ever read of a user's row; the password's hash stays behind. */
export const userColumns = [
  'id',
  'email',
  'email_key',
  'full_name',
  'name_key',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'is_system_bot',
  'date_joined',
  'timezone',
  'avatar_source',
  'avatar_version',
  'avatar_blob_id',
] as const satisfies readonly (keyof User)[]

const byId = statement((db, p: { id: number }) => db.selectFrom('user').select(userColumns).where('id', '=', p.id))
const byEmail = statement((db, p: { email_key: string }) =>
  db.selectFrom('user').select(userColumns).where('email_key', '=', p.email_key),
)

export const findUser = async (db: Db, id: number): Promise<User | undefined> => (await byId(db, { id }))[0]

export const findUserByEmail = async (db: Db, email: string): Promise<User | undefined> =>
  (await byEmail(db, { email_key: fold(email) }))[0]

/** The users of these ids, by id; absent ones are left out. */
export async function findUsers(
  { chat, db }: Pick<Visitor, 'chat' | 'db'>,
  ids: readonly number[],
): Promise<Map<number, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .select(userColumns)
    .where('id', 'in', chat.store.dialect.idsIn(ids))
    .execute()
  return new Map(rows.map((user) => [user.id, user]))
}

/** The user of this id. Throws BAD_REQUEST "No such user". */
export async function accessUser(db: Db, id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw badRequest('No such user')
  return user
}
