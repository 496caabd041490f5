import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { configuredUrl } from '../../kernel/public-url.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { empty, id as idShape } from '../../shapes/values.ts'
import { proof, requireProof } from '../key-page.ts'
import {
  clientSecretOf,
  LOST_SECRET,
  lostSecret,
  providerPoolOf,
  providersOf,
  type StoredProvider,
  storedProviders,
} from '../providers/all-providers.ts'
import type { ProviderConfig } from '../providers/config.ts'
import { loadOpenid } from '../providers/openid-package.ts'
import {
  checkMembers,
  checkName,
  configOf,
  type PageMembers,
  requireDomainsConfirmed,
} from '../providers/page-config.ts'
import { type Preset, presets } from '../providers/presets.ts'
import { requireStillOwner } from '../still-owner.ts'
import { keepingOwnersIn } from './owners-way-in.ts'
import { addressesOf, anything, clientSecret, members, requirePublicUrl, requireSameIssuer } from './provider-params.ts'

const MAX_PROVIDERS = 50

const providerId = { provider_id: described(id, 'ID of the provider.') }

/**
 * GET /sign_on/providers: lists the identity providers of the sign-on file, which only the operator changes, and those that
 * owners set up. Client secrets are never returned.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 */
export const listSignOnProviders = action(
  {
    name: 'listSignOnProviders',
    summary: 'List identity providers',
    params: v.object({}),
    result: v.strictObject({
      /** Whether providers can be added: the server has a public URL. */
      available: v.boolean(),
      providers: v.array(
        v.strictObject({
          /** null for a provider of the sign-on file. */
          id: v.nullable(idShape),
          name: v.string(),
          display_name: v.string(),
          has_client_secret: v.boolean(),
          /** What to register at the provider. */
          redirect_uri: v.string(),
          logout_uri: v.nullable(v.string()),
          /** Why it doesn't work now; null if it does, or wasn't used. */
          problem: v.nullable(v.string()),
          /** Its members, as in the sign-on file. */
          provider: anything,
        }),
      ),
      /** The names that `preset` may have, and what these fill in. */
      presets: v.array(
        v.strictObject({ name: v.string(), display_name: v.string(), issuer: v.string(), issuer_example: v.string() }),
      ),
    }),
    role: 'owner',
  },
  async (caller) => {
    const { chat, db } = caller
    const problems = await db.selectFrom('sign_on_problem').selectAll().execute()
    const { fixed } = providerPoolOf(chat)
    const shown = (id: number | null, config: ProviderConfig, provider: object, problem?: string) => ({
      id,
      ...{ name: config.name, display_name: config.display_name },
      has_client_secret: config.client_secret !== undefined,
      ...addressesOf(caller, config),
      problem: problem ?? problems.find((one) => one.provider === config.name)?.problem ?? null,
      provider: { ...provider },
    })
    const rows = (await storedProviders.get(caller)).filter(({ name }) => !fixed.has(name))
    return {
      available: configuredUrl(chat) !== undefined,
      providers: [
        ...[...fixed.values()].map(({ config }) => {
          const { client_secret: _, name: __, type: ___, ...provider } = config
          return shown(null, config, provider)
        }),
        ...rows.map((row) => {
          const provider = JSON.parse(row.config) as PageMembers
          return shown(row.id, shownConfig(row, provider), provider, lostSecret(chat, row) ? LOST_SECRET : undefined)
        }),
      ],
      presets: Object.entries(presets).map(([name, preset]: [string, Preset]) => ({
        ...{ name, display_name: preset.display_name },
        ...{ issuer: preset.issuer ?? '', issuer_example: preset.issuer_form?.example ?? '' },
      })),
    }
  },
)

/** What a list shows of a row, also of one that can't be used. */
function shownConfig({ name, client_secret }: StoredProvider, given: PageMembers): ProviderConfig {
  const preset: Preset | undefined = given.preset && presets[given.preset]
  const display_name = given.display_name ?? preset?.display_name ?? name
  const secret = client_secret === null ? {} : { client_secret }
  return { name, display_name, type: preset?.type ?? 'oidc', ...secret } as ProviderConfig
}

/**
 * POST /sign_on/providers: adds an identity provider. People can sign in with it immediately, on all nodes.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST without a public URL or a confirmation, for a name that is taken, and for a member that is wrong
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const createSignOnProvider = action(
  {
    name: 'createSignOnProvider',
    summary: 'Add an identity provider',
    audit: { subject: 'sign_on_provider', made: ({ id }) => id },
    params: v.object({
      name: described(text, 'Its name in addresses: a-z, 0-9 and "-". It never changes.'),
      provider: members,
      client_secret: described(v.nullish(clientSecret), 'Its client secret. Public clients have none.'),
      password: proof,
    }),
    result: v.strictObject({ id: idShape }),
    role: 'owner',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { name: given, provider, client_secret, password }) => {
    requirePublicUrl(caller)
    const name = checkName(given)
    const checked = checkMembers(provider)
    requireDomainsConfirmed(checked)
    const config = configOf(name, checked, client_secret || undefined)
    await requirePackage(config)
    await requireProof(caller, password ?? '')
    return caller.write((tx) =>
      keepingOwnersIn(
        tx,
        async () => {
          await requireStillOwner(tx)
          const others = await storedProviders.get(tx)
          if (providerPoolOf(tx.chat).fixed.has(name) || others.some((one) => one.name === name))
            throw invalidField('name', `There already is a provider "${name}".`)
          if (others.length >= MAX_PROVIDERS) throw badRequest(`There may be at most ${MAX_PROVIDERS} providers.`)
          await requireSameSubject(tx, config)
          const row = { name, config: JSON.stringify(checked), client_secret: sealed(tx, client_secret) }
          const inserted = await tx.db
            .insertInto('sign_on_provider')
            .values(row)
            .returning('id')
            .executeTakeFirstOrThrow()
          storedProviders.invalidate(tx)
          return inserted
        },
        name,
      ),
    )
  },
)

/**
 * PATCH /sign_on/providers/{provider_id}: replaces the members of a provider, and its secret if `client_secret` is given. Its
 * name stays.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "Invalid provider", without a confirmation, for a member that is wrong, and if a mistake could lock all
 * owners out
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const updateSignOnProvider = action(
  {
    name: 'updateSignOnProvider',
    summary: 'Update an identity provider',
    audit: { subject: 'sign_on_provider', id: ({ provider_id }) => provider_id },
    params: v.object({
      ...providerId,
      provider: members,
      client_secret: described(
        v.nullish(clientSecret),
        'Its new client secret; empty to remove it. Without this parameter it stays, but not for another issuer.',
      ),
      password: proof,
    }),
    result: empty,
    role: 'owner',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { provider_id, provider, client_secret, password }) => {
    const checked = checkMembers(provider)
    requireDomainsConfirmed(checked)
    const before = (await storedProviders.get(caller)).find(({ id }) => id === provider_id)
    if (!before) throw badRequest('Invalid provider')
    const kept = client_secret ?? clientSecretOf(caller.chat, before)
    const config = configOf(before.name, checked, kept || undefined)
    await requirePackage(config)
    await requireProof(caller, password ?? '')
    return caller.write(async (tx) => {
      await requireStillOwner(tx)
      const row = await storedProvider(tx, provider_id)
      const was = JSON.parse(row.config) as PageMembers
      if (client_secret == null && row.client_secret !== null) requireSameIssuer(was, checked)
      await requireSameSubject(tx, config)
      const changes = {
        config: JSON.stringify(checked),
        ...(client_secret != null && { client_secret: sealed(tx, client_secret) }),
      }
      const mayBreak = client_secret != null || connectionOf(was) !== connectionOf(checked)
      await keepingOwnersIn(
        tx,
        async () => {
          await tx.db.updateTable('sign_on_provider').set(changes).where('id', '=', provider_id).execute()
          await forgetProblem(tx, row)
          storedProviders.invalidate(tx)
        },
        mayBreak ? row.name : undefined,
      )
      return {}
    })
  },
)

/**
 * DELETE /sign_on/providers/{provider_id}: nobody can sign in with it anymore. Sessions stay, and so do the links of accounts,
 * for a provider with the same issuer.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "Invalid provider", without a confirmation, and if no owner could sign in anymore
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const removeSignOnProvider = action(
  {
    name: 'removeSignOnProvider',
    summary: 'Remove an identity provider',
    audit: { subject: 'sign_on_provider', id: ({ provider_id }) => provider_id },
    params: v.object({ ...providerId, password: proof }),
    result: empty,
    role: 'owner',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { provider_id, password }) => {
    await requireProof(caller, password ?? '')
    return caller.write(async (tx) => {
      await requireStillOwner(tx)
      const row = await storedProvider(tx, provider_id)
      await keepingOwnersIn(tx, async () => {
        await tx.db.deleteFrom('sign_on_provider').where('id', '=', provider_id).execute()
        await forgetProblem(tx, row)
        storedProviders.invalidate(tx)
      })
      return {}
    })
  },
)

async function storedProvider(tx: Tx, provider_id: number): Promise<StoredProvider> {
  const row = (await storedProviders.get(tx)).find(({ id }) => id === provider_id)
  if (!row) throw badRequest('Invalid provider')
  return row
}

/** Throws if another provider knows the people of the issuer by another claim: one person could have the value of another. */
async function requireSameSubject(tx: Tx, { name, issuer, type, claims }: ProviderConfig): Promise<void> {
  const others = [...(await providersOf(tx)).values()].map(({ config }) => config)
  const different = others.find(
    (one) => one.name !== name && one.issuer === issuer && (one.type !== type || one.claims.subject !== claims.subject),
  )
  if (different)
    throw invalidField('claims', `"claims" must have the "subject" of "${different.name}", which has the same issuer`)
}

async function requirePackage({ type }: ProviderConfig): Promise<void> {
  if (type !== 'oidc') return
  await loadOpenid().catch((error) => {
    throw badRequest((error as Error).message)
  })
}

const sealed = ({ chat }: Tx, client_secret: string | null | undefined) =>
  client_secret ? secretsOf(chat).seal(client_secret) : null

/** What a sign-in with the provider depends on. */
const connectionOf = ({ issuer, preset, client_id, scopes, claims, require, required_for, break_glass }: PageMembers) =>
  JSON.stringify([issuer, preset, client_id, scopes, claims, require, required_for, break_glass])

const forgetProblem = async ({ db }: Tx, { name }: StoredProvider): Promise<void> =>
  void (await db.deleteFrom('sign_on_problem').where('provider', '=', name).execute())
