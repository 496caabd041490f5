import type { SystemTx } from '../kernel/context.ts'
import { endMailAddresses } from '../mail/reply-address.ts'
import { changeUser } from '../users/people.ts'
import { endPush } from './devices.ts'
import { endEmailChanges, endKeys, endPasswordLinks, endSignIns } from './keys.ts'
import { removeTotp, removeUnusedCodes } from './second-factor/factor.ts'

interface Since {
  /** When the stranger got in, in seconds, for example through a linked account at a provider. */
  since: number
  /** The session that stays. */
  except?: number | undefined
  /** Whether the person has just proved that they know the password. */
  keepsPassword?: boolean
}

/**
 * Ends what a stranger may have made who could sign in to an account for some time. All sessions, keys, devices and
 * email addresses end. So do the keys of bots, because a bot's owner can read them. A first password, passkeys and the
 * authenticator app stay if they are older than that.
 */
export async function endAccess(
  tx: SystemTx,
  user_id: number,
  { since, except, keepsPassword = false }: Since,
): Promise<void> {
  const { db } = tx
  const bots = await db.selectFrom('user').select('id').where('bot_owner_id', '=', user_id).orderBy('id').execute()
  for (const { id } of [...bots, { id: user_id }]) {
    await endKeys(tx, id, id === user_id ? { except } : {})
    await endMailAddresses(tx, id)
  }
  await endPasswordLinks(tx, user_id)
  const { first_password_at } = await db
    .selectFrom('user')
    .select('first_password_at')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (!keepsPassword && first_password_at !== null && first_password_at >= since)
    await changeUser(tx, user_id, { password_hash: null, first_password_at: null })
  await endPush(tx, user_id)
  await db.deleteFrom('passkey').where('user_id', '=', user_id).where('created_at', '>=', since).execute()
  await db.deleteFrom('passkey_challenge').where('user_id', '=', user_id).execute()
  await endEmailChanges(tx, user_id)
  await endSignIns(tx, user_id)
  const app = await db.selectFrom('totp').select('created_at').where('user_id', '=', user_id).executeTakeFirst()
  if (app && app.created_at >= since) await removeTotp(tx, user_id)
  else await removeUnusedCodes(tx, user_id)
}
