import type { Updateable } from 'kysely'
import type { UserTable } from '../../storage/index.ts'
import { defineCache } from '../cache.ts'
import { invalidateUser, type SystemTx } from '../context.ts'
import type { User } from '../user.ts'
import { people } from './people-rows.ts'

/** Who signed in, and with which of their keys. */
export interface SignedIn {
  user: User
  key_id: number
}

/** Accounts that signed in lately, by their credentials: looked up at each request, changed rarely. */
export const accounts = defineCache('accounts', async () => new Map<string, SignedIn>())

/** The one way to change an account's row: whoever is signed in is known by a copy of it. */
export async function changeUser(tx: SystemTx, user_id: number, values: Updateable<UserTable>): Promise<void> {
  await tx.db.updateTable('user').set(values).where('id', '=', user_id).execute()
  accounts.invalidate(tx)
  invalidateUser(tx, user_id)
  people.invalidate(tx)
}
