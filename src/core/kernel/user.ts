import type { Selectable } from 'kysely'
import { type Db, statement, type UserTable } from '../../storage/index.ts'

/** A user's row, without columns that are read in only one place. */
export type User = Omit<
  Selectable<UserTable>,
  'password_hash' | 'first_password_at' | 'avatar_medium_blob_id' | 'awaits_sign_in' | 'email_verified_at'
>

/** The columns of a User. */
export const userColumns = [
  'id',
  'email',
  'delivery_email',
  'email_shown_to',
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
  'is_deleted',
] as const satisfies readonly (keyof User)[]

const byId = statement((db, p: { id: number }) => db.selectFrom('user').select(userColumns).where('id', '=', p.id))

/** Returns the approximate number of users. Accounts are never removed. */
export async function newestUserId(db: Db): Promise<number> {
  const row = await db.selectFrom('user').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

export const findUser = async (db: Db, id: number): Promise<User | undefined> => (await byId(db, { id }))[0]
