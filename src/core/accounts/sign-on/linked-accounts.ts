import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, id, none } from '../../kernel/fields.ts'
import { empty, id as idShape, unixTime } from '../../shapes/values.ts'
import { endAccess } from '../end-access.ts'
import { mayUsePassword, proof, requireProof } from '../key-page.ts'
import { endSignIns } from '../keys.ts'
import { accessManagedUser } from '../managed-user.ts'
import { mayUsePasskeys } from '../own-passkeys.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { passkeysOf } from '../passkeys/stored.ts'
import { providersOf } from '../providers/all-providers.ts'
import { keepingOwnersIn } from './owners-way-in.ts'

/** Accounts at identity providers. Directories, proxies, tokens and SCIM are marked otherwise. */
const linkedAccounts = ({ db }: Pick<Caller, 'db'>, user_id: number) =>
  db
    .selectFrom('identity')
    .select(['id', 'issuer', 'provider', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .where('issuer', 'like', 'https://%')
    .orderBy('id')
    .execute()

/**
 * GET /users/me/linked_accounts: lists the accounts at identity providers with which the caller can sign in.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listLinkedAccounts = action(
  {
    name: 'listLinkedAccounts',
    summary: 'List your linked accounts',
    params: none,
    result: v.strictObject({
      linked_accounts: v.array(
        v.strictObject({
          id: idShape,
          /** What its button says; the name of a provider that was removed. */
          display_name: v.string(),
          /** The address there, when it was last used. */
          email: v.nullable(v.string()),
          created_at: unixTime,
          last_used_at: unixTime,
        }),
      ),
    }),
  },
  async (caller) => {
    const providers = await providersOf(caller)
    const linked = await linkedAccounts(caller, caller.user.id)
    return {
      linked_accounts: linked.map(({ id, provider, email, created_at, last_used_at }) => ({
        ...{ id, email, created_at, last_used_at },
        display_name: providers.get(provider)?.config.display_name ?? provider,
      })),
    }
  },
)

/**
 * DELETE /users/me/linked_accounts/{linked_account_id}: unlinks an account at an identity provider. Nobody can sign in with
 * it, unless it is linked again.
 *
 * @throws BAD_REQUEST "No such linked account", without a confirmation, and for the only way to sign in
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const unlinkAccount = action(
  {
    name: 'unlinkAccount',
    summary: 'Unlink an account',
    audit: {
      subject: 'user',
      id: (_, { user }) => user.id,
      details: (_, { provider, ended }) => ({ unlinked: provider, ...(ended && { access: 'ended' }) }),
    },
    params: v.object({
      linked_account_id: described(id, 'ID of the linked account.'),
      password: proof,
      end_access: described(
        v.nullish(bool),
        'Whether somebody else could sign in with it. Ends all sessions and keys but this one, all keys and email addresses of your bots, and a first password, passkeys and the authenticator app that were added since it was linked.',
      ),
    }),
    result: empty,
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { linked_account_id, password, end_access }) => {
    await requireProof(caller, password ?? '')
    await caller.write(async (tx) => {
      const linked = await linkedAccounts(tx, tx.user.id)
      const gone = linked.find((one) => one.id === linked_account_id)
      if (!gone) throw badRequest('No such linked account')
      const issuers = linked.filter((one) => one !== gone).map(({ issuer }) => issuer)
      await tx.db.deleteFrom('identity').where('id', '=', gone.id).execute()
      const since = gone.created_at
      // Only the person who set a password can enter it.
      if (end_access) await endAccess(tx, tx.user.id, { since, except: tx.key_id, keepsPassword: !!password })
      if (!(await hasOtherWay(tx, issuers)))
        throw badRequest('This is your only way to sign in. Set a password or add a passkey first.')
      await endSignIns(tx, tx.user.id)
      return { provider: gone.provider, ended: end_access === true }
    })
    return {}
  },
)

/** Returns whether the caller can sign in with a password, a passkey, or a provider of one of these issuers. */
async function hasOtherWay(tx: Tx, issuers: readonly string[]): Promise<boolean> {
  if (await mayUsePassword(tx)) return true
  const hosts = (await passkeysOf(tx, tx.user.id)).map(({ host }) => host)
  if (hosts.includes(relyingPartyOf(tx.chat)?.id ?? '') && (await mayUsePasskeys(tx))) return true
  return [...(await providersOf(tx)).values()].some(({ config }) => issuers.includes(config.issuer))
}

/**
 * DELETE /users/{user_id}/linked_accounts: unlinks all accounts at identity providers from a user, for an account that
 * was linked to a stranger's. It ends all sessions and keys, all keys and email addresses of the user's bots, and a first
 * password, passkeys and the authenticator app that were added since.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "No such user", for an account without linked accounts, and if no owner could sign in anymore
 */
export const unlinkAccountsOf = action(
  {
    name: 'unlinkAccountsOf',
    summary: "Unlink a user's accounts",
    audit: { subject: 'user', id: ({ user_id }) => user_id, details: (_, { unlinked }) => ({ unlinked }) },
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: v.strictObject({
      /** Names of the providers. */
      unlinked: v.array(v.string()),
    }),
    role: 'owner',
  },
  (caller, { user_id }) =>
    caller.write(async (tx) => {
      const user = await accessManagedUser(tx, user_id)
      const linked = await linkedAccounts(tx, user.id)
      if (linked.length === 0) throw badRequest('This user has no linked accounts.')
      await keepingOwnersIn(tx, async () => {
        for (const one of linked) await tx.db.deleteFrom('identity').where('id', '=', one.id).execute()
        await endAccess(tx, user.id, { since: Math.min(...linked.map(({ created_at }) => created_at)) })
      })
      await endSignIns(tx, user.id)
      return { unlinked: linked.map(({ provider }) => provider) }
    }),
)
