import * as v from 'valibot'
import { publicAction } from '../../kernel/action.ts'
import { recordAct } from '../../kernel/audit.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { empty } from '../../shapes/values.ts'
import { endKeys } from '../keys.ts'
import { providersOf } from '../providers/all-providers.ts'
import { logFailure } from '../providers/failed.ts'
import { providerSession, spendOnce } from './steps.ts'

/**
 * POST /oidc/{provider}/backchannel: signs out people who signed out at the provider, or were removed there. A provider that
 * names a session ends what began with it, and else everything of the person. Keys of bots stay.
 *
 * @throws BAD_REQUEST for a logout token that is invalid or was used before
 */
export const endProviderSession = publicAction(
  {
    name: 'endProviderSession',
    summary: 'Sign out by an identity provider',
    params: v.object({
      provider: described(text, 'Name of the provider.'),
      logout_token: described(v.optional(text, ''), "The provider's token."),
    }),
    result: empty,
    answerHeaders: { 'cache-control': 'no-store' },
  },
  async (visitor, { provider: name, logout_token }) => {
    const provider = (await providersOf(visitor)).get(name)
    if (!provider) throw badRequest('This server has no such sign-in service')
    const logout = await provider.readLogout(logout_token).catch((error) => {
      logFailure(visitor, name, error)
      return undefined
    })
    if (!logout) throw invalid()
    const { issuer, claims: names } = provider.config
    const { claims, sid, jti } = logout
    const subject = claims[names.subject] ?? claims.sub
    if (sid === undefined && typeof subject !== 'string') throw invalid()
    await visitor.write(async (tx) => {
      if (!(await spendOnce(tx, 'logout', `${name} ${jti}`))) throw invalid()
      const user_ids =
        sid === undefined ? await byIdentity(tx, issuer, subject as string) : await bySession(tx, issuer, sid)
      for (const user_id of user_ids) {
        const only = sid === undefined ? undefined : await keysOfSession(tx, user_id, issuer, sid)
        const revoked = await endKeys(tx, user_id, only ? { only } : {})
        // A sign-in that the same person is in the middle of.
        await tx.db.deleteFrom('sign_on_step').where('user_id', '=', user_id).execute()
        const after = { provider: name, revoked }
        const who = { subject_kind: 'user' as const, subject_id: user_id, actor_id: user_id }
        await recordAct(tx, { action: 'endProviderSession', ...who, after })
      }
    })
    return {}
  },
)

const invalid = () => badRequest('Invalid logout token')

async function byIdentity({ db }: Pick<Context, 'db'>, issuer: string, subject: string): Promise<number[]> {
  const rows = await db
    .selectFrom('identity')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

async function bySession(tx: SystemTx, issuer: string, sid: string): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('api_key')
    .select('user_id')
    .distinct()
    .where('provider_session', '=', providerSession(tx, issuer, sid))
    .execute()
  return rows.map(({ user_id }) => user_id)
}

async function keysOfSession(tx: SystemTx, user_id: number, issuer: string, sid: string): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', user_id)
    .where('provider_session', '=', providerSession(tx, issuer, sid))
    .execute()
  return rows.map(({ id }) => id)
}
