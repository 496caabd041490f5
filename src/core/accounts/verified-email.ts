import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { endMailAddresses } from '../mail/reply-address.ts'
import { liftSuppression } from '../mail/suppressed.ts'
import { changeUser } from '../users/people.ts'
import { removeDevices } from './devices.ts'
import { endEmailChanges, endKeys, endPasswordLinks, endSignIns } from './keys.ts'
import { removeSecondFactor } from './second-factor/factor.ts'

/** Records that the owner of an account has proved to read mail at its address. */
export const noteVerified = (tx: SystemTx, user_id: number): Promise<void> =>
  changeUser(tx, user_id, { email_verified_at: seconds(tx.chat.clock) })

/** Records the same after a link in an email to the address was opened, so email reaches it again. */
export async function noteRead(tx: SystemTx, user_id: number): Promise<void> {
  await noteVerified(tx, user_id)
  const user = tx.db.selectFrom('user').select('delivery_email').where('id', '=', user_id)
  await liftSuppression(tx, (await user.executeTakeFirstOrThrow()).delivery_email)
}

/** Returns whether somebody has proved it. Of accounts from before this was recorded, nobody knows. */
export const isVerified = async (tx: SystemTx, user_id: number): Promise<boolean> =>
  Boolean(await verifiedAt(tx, user_id))

/**
 * Records the proof, and gives the account to the reader of that mail. If nobody proved it before, somebody else may
 * have made the account with this address, and would keep their way in.
 */
export async function takeOver(tx: SystemTx, user_id: number): Promise<void> {
  const before = await verifiedAt(tx, user_id)
  await noteRead(tx, user_id)
  // Accounts from before this was recorded keep their second factor, because their owners may have set it up.
  if (before === null) await endWaysIn(tx, user_id)
}

/** Ends everything but the password that signs in to an account. */
export async function endWaysIn(tx: SystemTx, user_id: number): Promise<void> {
  const bots = await tx.db.selectFrom('user').select('id').where('bot_owner_id', '=', user_id).orderBy('id').execute()
  for (const { id } of [...bots, { id: user_id }]) {
    await endKeys(tx, id)
    await endMailAddresses(tx, id)
  }
  await endPasswordLinks(tx, user_id)
  await endEmailChanges(tx, user_id)
  await endSignIns(tx, user_id)
  await removeSecondFactor(tx, user_id)
  await removeDevices(tx, user_id)
  for (const table of ['push_token', 'identity'] as const)
    await tx.db.deleteFrom(table).where('user_id', '=', user_id).execute()
}

/** In seconds since 1970; 0 of an account from before this was recorded, and null without a proof. */
async function verifiedAt({ db }: Pick<SystemTx, 'db'>, user_id: number): Promise<number | null> {
  const user = db.selectFrom('user').select('email_verified_at').where('id', '=', user_id)
  return (await user.executeTakeFirstOrThrow()).email_verified_at
}
