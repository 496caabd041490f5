import type { Selectable, Updateable } from 'kysely'
import type { ProfileValueTable, UserTable } from '../../storage/index.ts'
import { MAX_PRESENCE_EVENT_USERS } from '../kernel/base/limits.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { defineCache } from '../kernel/cache.ts'
import { invalidateUser, type SystemTx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import type { Grant } from '../kernel/scopes.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { type User, userColumns } from '../kernel/user.ts'
import type { ProfileData } from '../shapes/user.ts'

/**
 * All accounts with the values of their profile fields, because each client asks for them when it starts. Everything
 * that changes either must invalidate it.
 */
export const people = defineCache('people', async (db) => {
  const users = await db.selectFrom('user').select(userColumns).orderBy('id').execute()
  const values = await db.selectFrom('profile_value').selectAll().orderBy('field_id').execute()
  return { users, values: groupBy(values, (row) => row.user_id) }
})

/** The ids of all guests, who see less than others. A search for them by their role would read all accounts. */
export const guests = defineCache('guests', async (db) => {
  const rows = await db.selectFrom('user').select('id').where('role', '>=', roles.guest).execute()
  return rows.map((row) => row.id)
})

/** Whether the organization has too many active users for presence events. */
export const isLarge = defineCache('large-organization', async (db) => {
  const some = db
    .selectFrom('user')
    .select('id')
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
    .limit(MAX_PRESENCE_EVENT_USERS + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > MAX_PRESENCE_EVENT_USERS
})

/** Call it after an account was added or changed. */
export function invalidatePeople(tx: SystemTx): void {
  people.invalidate(tx)
  isLarge.invalidate(tx)
  guests.invalidate(tx)
}

/** Returns a user's profile field values as the API shows them, by field; none for people without an account. */
export function profileFor(
  reader: Pick<User, 'id'>,
  values: readonly Selectable<ProfileValueTable>[] = [],
): ProfileData {
  if (isSpectator(reader)) return {}
  return Object.fromEntries(
    values.map(({ field_id, value, rendered_value }) => [
      field_id,
      { value, ...(rendered_value !== null && { rendered_value }) },
    ]),
  )
}

/** A signed-in user, and the key they signed in with. */
export interface SignedIn {
  user: User
  key_id: number
  /** Whether the key is a browser's session, which ends after some time. */
  is_session?: true
  /** What a limited key permits; missing for keys without limits. */
  grant?: Grant
}

/** Recently signed-in accounts by their credentials. Read at each request and rarely changed. */
export const accounts = defineCache('accounts', async () => new Map<string, SignedIn>())

/** The only way to change an account's row, since cached copies of it must be invalidated. */
export async function changeUser(tx: SystemTx, user_id: number, values: Updateable<UserTable>): Promise<void> {
  await tx.db.updateTable('user').set(values).where('id', '=', user_id).execute()
  accounts.invalidate(tx)
  invalidateUser(tx, user_id)
  invalidatePeople(tx)
}
