import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import type { Chat } from '../../src/core/chat.ts'
import { busOf } from '../../src/core/event-log/bus.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { parseRates } from '../../src/http/guards/rates.ts'
import { type TrustProxy, trustOf } from '../../src/http/proxy.ts'
import { listenProblem, urlOf } from '../addresses.ts'
import { spaceFor } from '../checks.ts'
import { fail, reportFailuresTo } from '../failing.ts'
import type { Listening } from '../listen.ts'
import { onStop } from '../stop-signals.ts'
import { version } from '../version.ts'
import { welcomeText } from '../welcome-text.ts'

export interface ServeOptions {
  db: string
  host: string
  port: number
  publicUrl?: string
  rateLimit: boolean
  /** As `parseRates` reads them. */
  rateLimits?: readonly string[]
  trustProxy: TrustProxy
  logRequests: boolean
  maxEmojiFileSizeMib: number
  maxFileUploadSizeMib: number
  unusedFileDays: number
}

/** Listens, opens, says so in one line, and closes in order when it is told to. */
export async function serve(options: ServeOptions): Promise<void> {
  const { db, host, port, publicUrl } = options
  // What is wrong with the options is an error before there is a database.
  trustOf(options.trustProxy)
  parseRates(options.rateLimits ?? [])
  const { problem, warning } = spaceFor(db)
  if (problem) throw new Error(problem)
  // The port first, so that nothing is created when it cannot be had. Requests wait until the chat is open.
  const { listener, open } = heldRequests()
  const [{ listenOn }, { createLog }] = await Promise.all([import('../listen.ts'), import('../log.ts')])
  const listening = await listenOn(listener, host, port).catch(async (error) => {
    throw await listenProblem(error, host, port)
  })
  const log = createLog()
  const chat = await openChat({
    db,
    maxEmojiFileSizeMib: options.maxEmojiFileSizeMib,
    maxFileUploadSizeMib: options.maxFileUploadSizeMib,
    unusedFileDays: options.unusedFileDays,
    ...(publicUrl && { publicUrl }),
    logger: log,
    onBroken: fail,
  })
  reportFailuresTo(log)
  if (warning) log.warn({ db }, warning)
  try {
    await run(chat, log, options, listening, open)
  } catch (error) {
    await chat.close()
    throw error
  }
}

async function run(
  chat: Chat,
  log: Logger,
  options: ServeOptions,
  { server, port }: Listening,
  open: (listener: RequestListener) => void,
): Promise<void> {
  const { db, host, publicUrl, rateLimit, trustProxy, logRequests } = options
  // The owner's password takes a tenth of a second to hash, on another thread; meanwhile the rest is loaded.
  const creating = (await hasOrganization(chat)) ? undefined : createOrganization(chat, firstOrganization)
  const [{ createApp }, { nodeListener }, { closeListener }, { listenForCommands }] = await Promise.all([
    import('../../src/http/app.ts'),
    import('../../src/http/node.ts'),
    import('../../src/http/server.ts'),
    import('../../src/admin/socket.ts'),
  ])
  const owner = await creating
  const rateLimits = parseRates(options.rateLimits ?? [])
  const app = createApp({
    chat,
    rateLimit,
    rateLimits,
    trustProxy,
    ...(publicUrl && { publicUrl }),
    // The log has a time of its own.
    ...(logRequests && { onRequest: ({ time: _, ...entry }) => log.info(entry, 'request') }),
  })
  const admin = db === ':memory:' ? undefined : await listenForCommands(chat)

  onStop(async (reason) => {
    log.info({ reason }, 'stopping')
    app.release()
    busOf(chat).close()
    await Promise.all([closeListener(server), admin?.[Symbol.asyncDispose]()])
    await chat.close()
    log.info('stopped')
    process.exit(0)
  })
  open(nodeListener(app))
  if (owner) process.stdout.write(welcomeText(owner, urlOf(host, port)))
  log.info({ version: version(), node: process.versions.node, db, ms: Math.round(performance.now()) }, 'started')
  process.stdout.write(`chat-server listening on ${urlOf(host, port)}\n`)
}

const firstOrganization = { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' }

/** A listener that keeps requests until there is one to answer them. */
function heldRequests(): { listener: RequestListener; open(listener: RequestListener): void } {
  const held: Parameters<RequestListener>[] = []
  let answer: RequestListener = (...request) => void held.push(request)
  return {
    listener: (...request) => answer(...request),
    open(listener) {
      answer = listener
      for (const request of held) listener(...request)
    },
  }
}
