import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { invalidField } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { clientSecretOf, providerPoolOf, storedProviders } from '../providers/all-providers.ts'
import { checkMembers, checkName, configOf } from '../providers/page-config.ts'
import { tryProvider } from '../providers/try-provider.ts'
import { addressesOf, clientSecret, members, requirePublicUrl, requireSameIssuer } from './provider-params.ts'

/**
 * POST /sign_on/providers/test: asks an identity provider what a sign-in asks it, and says what is wrong. Nothing is stored,
 * and nobody is signed in. Members that are given are tested instead of the stored ones, with the stored secret unless
 * the issuer is another one.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST without a public URL, for an unknown provider, and for a member that is wrong
 */
export const testSignOnProvider = action(
  {
    name: 'testSignOnProvider',
    summary: 'Test an identity provider',
    params: v.object({
      name: described(text, 'Its name, of the sign-on file, of a stored provider, or of one that is to be added.'),
      provider: v.nullish(members),
      client_secret: described(v.nullish(clientSecret), 'Its client secret, if it is not the stored one.'),
    }),
    result: v.strictObject({
      /** Why people can't sign in with it; null if they can, as far as a test can tell. */
      problem: v.nullable(v.string()),
      /** What works, but not as well as it could. */
      hints: v.array(v.string()),
      /** What to register at the provider. */
      redirect_uri: v.string(),
      logout_uri: v.nullable(v.string()),
    }),
    role: 'owner',
  },
  async (caller, { name: given, provider, client_secret }) => {
    requirePublicUrl(caller)
    const { fixed, askFor } = providerPoolOf(caller.chat)
    const row = (await storedProviders.get(caller)).find((one) => one.name === given)
    let config = fixed.get(given)?.config
    if (!config) {
      if (!provider && !row) throw invalidField('name', 'No provider has this name')
      const stored = row && checkMembers(JSON.parse(row.config))
      const checked = provider ? checkMembers(provider) : stored!
      const kept = row && client_secret == null ? clientSecretOf(caller.chat, row) : undefined
      if (kept !== undefined) requireSameIssuer(stored!, checked)
      config = configOf(row ? given : checkName(given), checked, client_secret || kept)
    }
    const addresses = addressesOf(caller, config)
    const trial = await tryProvider(config, askFor(config), addresses.redirect_uri)
    return { problem: trial.problem, hints: [...trial.hints], ...addresses }
  },
)
