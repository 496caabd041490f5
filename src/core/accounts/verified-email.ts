import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { changeUser } from '../users/people.ts'
import { removeDevices } from './devices.ts'
import { endKeys, endPasswordLinks } from './keys.ts'
import { removeSecondFactor } from './second-factor/factor.ts'

/** Records that the owner of an account has proved to read mail at its address. */
export const noteVerified = (tx: SystemTx, user_id: number): Promise<void> =>
  changeUser(tx, user_id, { email_verified_at: seconds(tx.chat.clock) })

/**
 * Records the proof, and gives the account to the reader of that mail. If nobody proved it before, somebody else may
 * have made the account with this address, and would keep their way in.
 */
export async function takeOver(tx: SystemTx, user_id: number): Promise<void> {
  const { email_verified_at } = await tx.db
    .selectFrom('user')
    .select('email_verified_at')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  await noteVerified(tx, user_id)
  // Accounts from before this was recorded keep their second factor, because their owners may have set it up.
  if (email_verified_at !== null) return
  const bots = await tx.db.selectFrom('user').select('id').where('bot_owner_id', '=', user_id).orderBy('id').execute()
  for (const { id } of [...bots, { id: user_id }]) await endKeys(tx, id)
  await endPasswordLinks(tx, user_id)
  await removeSecondFactor(tx, user_id)
  await removeDevices(tx, user_id)
  await tx.db.deleteFrom('push_token').where('user_id', '=', user_id).execute()
}
