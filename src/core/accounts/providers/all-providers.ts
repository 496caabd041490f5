import type { AskNamedServer } from '../../../network/provider.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Context } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { defineService } from '../../kernel/service.ts'
import type { ProviderConfig } from './config.ts'
import { checkMembers, configOf, emergencyKeys } from './page-config.ts'
import type { Provider } from './provider.ts'

/** The providers that owners have set up in the page, as rows. */
export const storedProviders = defineCache('sign-on providers', (db) =>
  db.selectFrom('sign_on_provider').selectAll().orderBy('id').execute(),
)
export type StoredProvider = Awaited<ReturnType<typeof storedProviders.get>>[number]

/** A provider of the page, and the keys of addresses that keep their passwords whatever it demands. */
interface PageProvider {
  readonly provider: Provider
  readonly emergency: readonly string[]
}

/** How this process reaches providers, and what it knows about the providers of the page. */
export interface ProviderPool {
  /** The providers of the sign-on file. */
  readonly fixed: ReadonlyMap<string, Provider>
  /** Returns how a provider is asked. */
  askFor(config: ProviderConfig): AskNamedServer
  /** Creates a provider of the page. */
  create(config: ProviderConfig): Provider
  /** By name, with the row that they were made of. */
  readonly known: Map<string, { row: string; made: PageProvider | undefined }>
}
export const providerPoolOf = defineService<ProviderPool>('provider pool')

type Here = Pick<Context, 'chat' | 'cache'>

/** Returns all identity providers by name: first the file's, then the page's. */
export async function providersOf(context: Here): Promise<ReadonlyMap<string, Provider>> {
  const { fixed } = providerPoolOf(context.chat)
  const added = await pageProviders(context)
  return added.length === 0 ? fixed : new Map([...fixed, ...added.map(({ provider }) => byName(provider))])
}

const byName = (provider: Provider) => [provider.config.name, provider] as const

/** Returns the providers of the page. The file wins where both have a name. */
export async function pageProviders({ chat, cache }: Here): Promise<readonly PageProvider[]> {
  const rows = await storedProviders.get({ cache })
  const { fixed, known } = providerPoolOf(chat)
  if (known.size > rows.length)
    for (const name of known.keys()) if (!rows.some((row) => row.name === name)) known.delete(name)
  if (rows.length === 0) return []
  return rows.filter(({ name }) => !fixed.has(name)).flatMap((row) => made(chat, row) ?? [])
}

/** Returns a provider's client secret; undefined if it has none, or was stored with another secret of the server. */
export const clientSecretOf = (chat: Chat, { client_secret }: Pick<StoredProvider, 'client_secret'>) =>
  client_secret === null ? undefined : secretsOf(chat).unseal(client_secret)

export const LOST_SECRET = 'The client secret was encrypted with another secret of the server. Enter it again'
export const lostSecret = (chat: Chat, row: StoredProvider): boolean =>
  row.client_secret !== null && clientSecretOf(chat, row) === undefined

/** Keeps what a provider knows, such as its failures, for as long as nothing about it changes. */
function made(chat: Chat, row: StoredProvider): PageProvider | undefined {
  const { known, create } = providerPoolOf(chat)
  const text = JSON.stringify(row)
  const before = known.get(row.name)
  if (before?.row === text) return before.made
  const one = { row: text, made: open(chat, row, create) }
  known.set(row.name, one)
  return one.made
}

function open(chat: Chat, row: StoredProvider, create: ProviderPool['create']): PageProvider | undefined {
  try {
    if (lostSecret(chat, row)) throw new Error(LOST_SECRET)
    const members = checkMembers(JSON.parse(row.config))
    const config = configOf(row.name, members, clientSecretOf(chat, row))
    return { provider: create(config), emergency: emergencyKeys(members) }
  } catch (error) {
    // Its row may be of a version with other rules.
    chat.options.logger.warn({ provider: row.name }, `a provider can't be used: ${(error as Error).message}`)
    return undefined
  }
}
