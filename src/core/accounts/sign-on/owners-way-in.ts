import { isSet } from '../../../storage/index.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { roles } from '../../kernel/roles.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { providersOf } from '../providers/all-providers.ts'
import { LDAP } from '../providers/ldap.ts'
import { passwordRule, signOnOf } from '../providers/sign-on.ts'

/**
 * Returns whether an owner can sign in: with a password or passkey, the directory or proxy of the sign-on file, or a
 * provider.
 *
 * @param without - the name of a provider that doesn't count
 */
export async function doesAnOwnerGetIn(tx: SystemTx, without?: string): Promise<boolean> {
  const { db, chat } = tx
  const signOn = signOnOf(chat)
  if (chat.options.dev || signOn?.proxy) return true
  const owners = await db
    .selectFrom('user')
    .select(['id', 'delivery_email', 'password_hash'])
    .where('role', '=', roles.owner)
    .where('is_active', '=', isSet)
    .where('bot_type', 'is', null)
    .execute()
  const own = await Promise.all(
    owners.map(async ({ id, delivery_email, password_hash }) => {
      if (!(await passwordRule(tx, delivery_email)).allowed) return false
      if (password_hash !== null) return true
      const party = relyingPartyOf(chat)
      if (!party) return false
      // Browsers offer no passkey of another host name.
      const passkey = db.selectFrom('passkey').select('id').where('user_id', '=', id).where('host', '=', party.id)
      return (await passkey.executeTakeFirst()) !== undefined
    }),
  )
  if (own.includes(true)) return true
  const others = [...(await providersOf(tx)).values()].filter(({ config }) => config.name !== without)
  const issuers = others.map(({ config }) => config.issuer)
  if (signOn?.directory) issuers.push(LDAP)
  if (owners.length === 0 || issuers.length === 0) return false
  const identity = await db
    .selectFrom('identity')
    .select('id')
    .where('issuer', 'in', issuers)
    .where(
      'user_id',
      'in',
      owners.map(({ id }) => id),
    )
    .executeTakeFirst()
  return identity !== undefined
}

/**
 * Makes a change, and undoes it if it took the last way in from the owners.
 *
 * @param without - the provider that the change may break
 * @throws BAD_REQUEST
 */
export async function keepingOwnersIn<T>(tx: SystemTx, work: () => Promise<T>, without?: string): Promise<T> {
  const before = await doesAnOwnerGetIn(tx)
  const result = await work()
  if (before && !(await doesAnOwnerGetIn(tx, without))) {
    throw badRequest(
      'No owner could sign in anymore if this is wrong. First make sure that an owner can sign in with a password.',
    )
  }
  return result
}
