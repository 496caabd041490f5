import { type ManualClock, manualClock } from '../core/kernel/base/clock.ts'
import type { Logger } from '../core/kernel/base/logger.ts'
import type { Chat } from '../core/kernel/chat.ts'
import type { RoleName } from '../core/kernel/roles.ts'
import { openFrom } from '../core/open-chat.ts'
import { type AppOptions, createApp } from '../http/app.ts'
import { defaultRates, parseRates, type RateName } from '../http/guards/rates.ts'
import { type ChatServer, type ServerOptions, serveApp } from '../http/server.ts'
import type { CastName, WorldSeed } from './seed.ts'
import { chatOptions, emptyDatabase, isInMemory } from './template.ts'
import { type Traffic, watchTraffic } from './traffic.ts'
import { type World, type WorldBase, world } from './world.ts'

/** One line of a log. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  details: object
}

/** A server without an organization, as before its first start. */
export interface EmptyServer extends ChatServer, Traffic {
  /** The time does not change until a test advances it. */
  readonly clock: ManualClock
  /** What was logged. */
  readonly log: readonly LogEntry[]
}

/** A served world: its people and other members are the ones of `world()`. */
export type TestServer<Name extends string = CastName> = EmptyServer & World<Name>

export interface EmptyServerOptions extends Omit<ServerOptions, 'clock' | 'logger' | 'rateLimit'> {
  clock?: ManualClock
  /**
   * Off by default. A number is the requests per minute for each account, and for each address without one. An object
   * has numbers by the names of rates and roles, each per the period of that rate.
   */
  rateLimit?: boolean | number | Partial<Record<RateName | RoleName, number>>
}

export interface TestServerOptions<Name extends string = string>
  extends Omit<EmptyServerOptions, 'chat'>,
    Omit<WorldSeed<Name>, 'chat'> {}

/**
 * Starts a world over a socket: a server on a database in memory, on any free port, with people, a clock advanced by
 * hand, and no rate limits. It accepts the seed of a world and the options of a server.
 *
 * @throws EADDRINUSE and the like if the port isn't available
 * @example
 * await using server = await testServer({ people: ['ann'] })
 * server.fail('POST /messages', { status: 502, after: 'commit' })
 * const headers = { authorization: server.ann.authorization }
 * await fetch(`${server.url}/api/v1/users/me`, { headers })
 */
export async function testServer<Name extends string = never>(
  options: TestServerOptions<Name> = {},
): Promise<TestServer<Name | CastName>> {
  const log: LogEntry[] = []
  const { org, people, streams, groups, messages, clock = manualClock(), ...server } = options
  const seed = { org, people, streams, groups, messages, chat: { ...ofChat(server), logger: collecting(log) } }
  const w = (await world(seed as WorldSeed<Name>, clock)) as World<string>
  const served = await serve(w.chat, server, { clock, log, ownsChat: true })
  const whole: EmptyServer & WorldBase<string> = {
    ...w,
    ...served,
    zuliprc: (who) => w.zuliprc(who).replace(/^site=.*$/m, `site=${served.url}`),
  }
  return whole as TestServer<Name | CastName>
}

/**
 * Starts a test server without an organization and people, or for a chat that is already open.
 *
 * @throws EADDRINUSE and the like if the port isn't available
 */
export async function emptyServer(options: EmptyServerOptions = {}): Promise<EmptyServer> {
  const log: LogEntry[] = []
  const { clock = manualClock(), chat: given, ...server } = options
  const opened = chatOptions({ ...ofChat(server), clock, logger: collecting(log) })
  const chat = given ?? (await openFrom(opened, isInMemory(opened) ? await emptyDatabase() : undefined))
  return serve(chat, server, { clock, log, ownsChat: !given })
}

interface Served {
  clock: ManualClock
  log: readonly LogEntry[]
  ownsChat: boolean
}

async function serve(
  chat: Chat,
  { rateLimit = false, ...options }: Omit<EmptyServerOptions, 'chat'>,
  { clock, log, ownsChat }: Served,
): Promise<EmptyServer> {
  try {
    const { app, ...traffic } = watchTraffic(createApp({ ...options, ...limitsOf(rateLimit), chat }), chat)
    return Object.assign(await serveApp(app, chat, { ...options, ownsChat }), traffic, { clock, log })
  } catch (error) {
    if (ownsChat) await chat.close()
    throw error
  }
}

const ownOfChat = [
  'db',
  'secret',
  'random',
  'passwordCost',
  'outgoing',
  'onBroken',
  'maxEmojiFileSizeMib',
  'maxFileUploadSizeMib',
  'unusedFileDays',
  'initialsAvatars',
  'dev',
  'checkContract',
  'featureLevel',
  'limits',
  'publicUrl',
  'reserveMib',
  'freeBytes',
  'pushService',
  'gifApiKeys',
  'callServers',
  'mail',
  'mailIn',
  'signOn',
] as const satisfies readonly (keyof EmptyServerOptions)[]

/** Returns the options of a server that belong to its chat. */
const ofChat = (options: EmptyServerOptions) =>
  Object.fromEntries(ownOfChat.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]))

function limitsOf(
  rateLimit: Exclude<EmptyServerOptions['rateLimit'], undefined>,
): Pick<AppOptions, 'rateLimit' | 'rateLimits'> {
  if (typeof rateLimit === 'boolean') return { rateLimit }
  const numbers = typeof rateLimit === 'number' ? { user: rateLimit, address: rateLimit } : rateLimit
  const texts = Object.entries(numbers).map(([name, requests]) => `${name}=${requests}/${secondsOf(name)}`)
  return { rateLimit: true, rateLimits: parseRates(texts) }
}

/** Returns the period of a rate. Roles and bots have the period of all accounts. */
const secondsOf = (name: string): number =>
  (name in defaultRates ? defaultRates[name as RateName] : undefined)?.seconds ?? defaultRates.user.seconds

/** Returns a logger that collects its lines in a list. */
export function collecting(log: LogEntry[]): Logger {
  const at = (level: LogEntry['level']) => (details: object, message: string) =>
    void log.push({ level, message, details })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
