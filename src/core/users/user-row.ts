import type { Updateable } from 'kysely'
import type { UserTable } from '../../storage/index.ts'
import { defineCache } from '../kernel/cache.ts'
import { invalidateUser, type SystemTx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { people } from './people-rows.ts'

/** A signed-in user, and the key they signed in with. */
export interface SignedIn {
  user: User
  key_id: number
}

/** Recently signed-in accounts, by their credentials: looked up at each request, changed rarely. */
export const accounts = defineCache('accounts', async () => new Map<string, SignedIn>())

/** The only way to change an account's row, since cached copies of it must be invalidated. */
export async function changeUser(tx: SystemTx, user_id: number, values: Updateable<UserTable>): Promise<void> {
  await tx.db.updateTable('user').set(values).where('id', '=', user_id).execute()
  accounts.invalidate(tx)
  invalidateUser(tx, user_id)
  people.invalidate(tx)
}
