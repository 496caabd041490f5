import { checkFilters } from '../../../network/ldap/directory.ts'
import { type AskNamedServer, askNamedServers } from '../../../network/provider.ts'
import { addressKey } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat, SignOnOptions } from '../../kernel/chat.ts'
import { type Context, contextOf } from '../../kernel/context.ts'
import { DEFAULT_PUBLIC_URL } from '../../kernel/public-url.ts'
import { defineService } from '../../kernel/service.ts'
import { pageProviders, providerPoolOf, providersOf } from './all-providers.ts'
import { isRequired, type ProviderConfig, readSignOn, type SignOnConfig } from './config.ts'
import { createDirectory, type SignOnDirectory } from './directory.ts'
import { LDAP } from './ldap.ts'
import { loadOpenid } from './openid-package.ts'
import { createProvider, type Provider } from './provider.ts'

/** What the sign-on file says besides its providers: who may use a password, and other ways to sign in. */
export interface SignOn {
  readonly passwords: SignOnConfig['passwords']
  readonly break_glass: SignOnConfig['break_glass']
  readonly proxy: SignOnConfig['proxy']
  readonly jwt: SignOnConfig['jwt']
  readonly directory: SignOnDirectory | undefined
}

/** Undefined without such a file. */
export const signOnOf = defineService<SignOn | undefined>('sign-on')

/**
 * Checks the options. The provider sends browsers back to the public URL, which a Host header must not choose.
 *
 * @throws Error for an invalid file, without a public URL, and without the optional package
 */
export async function checkSignOn(options: SignOnOptions, publicUrl: string | undefined): Promise<SignOnConfig> {
  const config = readSignOn(options.config ?? { providers: [] }, options.userHeader)
  if (config.ldap) await checkFilters(config.ldap.directory)
  // A proxy sends people to where they are, and a directory sends them nowhere.
  if (config.providers.length === 0 && (config.proxy || config.ldap) && !config.jwt) return config
  if (publicUrl === undefined || publicUrl === DEFAULT_PUBLIC_URL) {
    throw new Error(
      '--sign-on needs --public-url, because providers send people back to this address, and tokens name it',
    )
  }
  if (config.providers.some(({ type }) => type === 'oidc')) await loadOpenid()
  return config
}

/** Prepares the providers. Nothing is contacted before somebody signs in. */
export function openSignOn(chat: Chat, config: SignOnConfig | undefined, given?: AskNamedServer): void {
  const { providers = [], ldap } = config ?? {}
  // Only the operator's file names servers in a private network.
  const hosts = new Set(providers.map(({ issuer }) => new URL(issuer).host))
  const ask = given ?? askNamedServers(hosts)
  const askFor = (one: ProviderConfig): AskNamedServer => {
    if (given || providers.includes(one)) return ask
    // A provider of the page may be at one of them, but must not point from elsewhere to them.
    const { host } = new URL(one.issuer)
    return askNamedServers(new Set(hosts.has(host) ? [host] : []))
  }
  const onChange = (one: ProviderConfig, why: string | undefined) => tell(chat, one, why)
  const create = (one: ProviderConfig) => createProvider(one, { ask: askFor(one), clock: chat.clock, onChange })
  const fixed = new Map(providers.map((one) => [one.name, create(one)]))
  providerPoolOf.provide(chat, { fixed, askFor, create, known: new Map() })
  signOnOf.provide(
    chat,
    config && {
      passwords: config.passwords,
      break_glass: config.break_glass,
      proxy: config.proxy,
      jwt: config.jwt,
      directory:
        ldap &&
        createDirectory(ldap, chat.clock, (why) =>
          tell(chat, { name: LDAP, display_name: ldap.rules.display_name }, why),
        ),
    },
  )
}

/** One line in the log when a provider fails and when it works again, and a row that `doctor` reads. */
function tell(
  chat: Chat,
  { name, display_name }: Pick<ProviderConfig, 'name' | 'display_name'>,
  problem: string | undefined,
): void {
  const { logger } = chat.options
  if (problem !== undefined) logger.warn({ provider: name }, `nobody can sign in with ${display_name}: ${problem}`)
  contextOf(chat)
    .write(
      async (tx) => {
        const { db } = tx
        await db.deleteFrom('sign_on_problem').where('provider', '=', name).execute()
        // An owner may have removed the provider while it was asked.
        if (problem === undefined || !(name === LDAP || (await providersOf(tx)).has(name))) return
        const since = seconds(chat.clock)
        await db
          .insertInto('sign_on_problem')
          .values({ provider: name, since, problem: problem.slice(0, 500) })
          .execute()
      },
      { relaxed: true },
    )
    .catch((error) => logger.error({ err: error }, 'the state of an identity provider could not be stored'))
}

/** Whether somebody may sign in with a password, and whether only some people may. */
export interface PasswordRule {
  readonly allowed: boolean
  /** Others get the same answer for a wrong password as without one, so that nobody learns who the few are. */
  readonly limited: boolean
  /** Whether the address's domain must use an identity provider. */
  readonly elsewhere: boolean
}

/** Returns the rule for the account of an address, whether or not it exists. */
export async function passwordRule(context: Pick<Context, 'chat' | 'cache'>, address: string): Promise<PasswordRule> {
  const signOn = signOnOf(context.chat)
  const added = await pageProviders(context)
  if (!signOn && added.length === 0) return { allowed: true, limited: false, elsewhere: false }
  const key = addressKey(address.trim())
  const domain = key.slice(key.lastIndexOf('@') + 1)
  const demands = ({ config }: Provider) => isRequired(config, domain)
  const byFile = [...providerPoolOf(context.chat).fixed.values()].some(demands)
  const byPage = added.some(({ provider }) => demands(provider))
  const isKept = signOn?.break_glass.has(key) ?? false
  const offInFile = (byFile || signOn?.passwords === 'break_glass') && !isKept
  // What owners do in the page changes nothing about the file's rule.
  const offInPage = byPage && !isKept && !added.some(({ emergency }) => emergency.includes(key))
  const elsewhere = byFile || byPage
  return {
    allowed: !offInFile && !offInPage,
    limited: signOn?.passwords === 'break_glass' || elsewhere,
    elsewhere,
  }
}

/** Returns whether an account is for emergencies in which the providers fail. */
export async function isEmergencyAccount(context: Pick<Context, 'chat' | 'cache'>, address: string): Promise<boolean> {
  const key = addressKey(address)
  if (signOnOf(context.chat)?.break_glass.has(key)) return true
  return (await pageProviders(context)).some(({ emergency }) => emergency.includes(key))
}
