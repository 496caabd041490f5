import type { Updateable } from 'kysely'
import type { UserTable } from '../../storage/index.ts'
import { type Tx, userKey } from '../context.ts'

/** Accounts that signed in lately, by their credentials: looked up at each request, changed rarely. */
export const ACCOUNTS_KEY = 'accounts'

/** The one way to change an account's row: whoever is signed in is known by a copy of it. */
export async function changeUser(tx: Tx, user_id: number, values: Updateable<UserTable>): Promise<void> {
  await tx.db.updateTable('user').set(values).where('id', '=', user_id).execute()
  tx.forget(ACCOUNTS_KEY)
  tx.forget(userKey(user_id))
}
