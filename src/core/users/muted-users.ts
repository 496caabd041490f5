import type * as v from 'valibot'
import { defineCacheById } from '../kernel/cache.ts'
import type { Caller } from '../kernel/context.ts'
import type { mutedUserShape } from '../shapes/user.ts'

/** Users who have muted a user, by id. Almost always none, and read at every message. */
export const usersMuting = defineCacheById('users-muting', async (db, user_id) => {
  const rows = await db
    .selectFrom('muted_user')
    .select('user_id')
    .where('muted_user_id', '=', user_id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
})

type MutedUser = v.InferOutput<typeof mutedUserShape>

/** Returns the users the caller has muted, oldest first. */
export async function mutedUsersOf({ db, user }: Caller): Promise<MutedUser[]> {
  const rows = await db
    .selectFrom('muted_user')
    .select(['muted_user_id', 'muted_at', 'is_blocked'])
    .where('user_id', '=', user.id)
    .orderBy('muted_at')
    .orderBy('muted_user_id')
    .execute()
  return rows.map((row) => ({
    id: row.muted_user_id,
    timestamp: row.muted_at,
    ...(row.is_blocked === 1 && { is_blocked: true as const }),
  }))
}
