import { groupBy } from '../base/lists.ts'
import { defineCache } from '../cache.ts'
import { userColumns } from '../user.ts'

/**
 * All accounts with the values of their profile fields: each client asks for them when it starts. To be invalidated by
 * whatever changes either.
 */
export const people = defineCache('people', async (db) => {
  const users = await db.selectFrom('user').select(userColumns).orderBy('id').execute()
  const values = await db.selectFrom('profile_value').selectAll().orderBy('field_id').execute()
  return { users, values: groupBy(values, (row) => row.user_id) }
})
