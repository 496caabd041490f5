import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'

type Account = Pick<User, 'id' | 'email_key'>

/** Records that somebody has shown that the account's address is theirs. It ends when the address changes. */
export async function noteProved({ chat, db }: SystemTx, { id: user_id, email_key }: Account): Promise<void> {
  const row = { email_key, at: seconds(chat.clock) }
  await db
    .insertInto('proved_address')
    .values({ user_id, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute()
}

/** Returns whether the account's present address was proved. */
export async function isProved({ db }: Pick<SystemTx, 'db'>, { id, email_key }: Account): Promise<boolean> {
  const row = await db
    .selectFrom('proved_address')
    .select('user_id')
    .where('user_id', '=', id)
    .where('email_key', '=', email_key)
    .executeTakeFirst()
  return row !== undefined
}
