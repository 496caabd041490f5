import type { Selectable } from 'kysely'
import type { ProfileValueTable } from '../../storage/index.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { defineCache } from '../kernel/cache.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { type User, userColumns } from '../kernel/user.ts'
import type { ProfileData } from '../shapes/user.ts'

/**
 * All accounts with the values of their profile fields: each client asks for them when it starts. To be invalidated by
 * whatever changes either.
 */
export const people = defineCache('people', async (db) => {
  const users = await db.selectFrom('user').select(userColumns).orderBy('id').execute()
  const values = await db.selectFrom('profile_value').selectAll().orderBy('field_id').execute()
  return { users, values: groupBy(values, (row) => row.user_id) }
})

/** Values of one user's profile fields as the API shows them, by field; none to people without an account. */
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
