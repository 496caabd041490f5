import type { RequestListener } from 'node:http'
import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import type { Chat } from '../../src/core/chat.ts'
import { busOf } from '../../src/core/event-log/bus.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { parseRates } from '../../src/http/guards/rates.ts'
import { type TrustProxy, trustOf } from '../../src/http/proxy.ts'
import { listenProblem, urlOf } from '../addresses.ts'
import { spaceFor } from '../checks.ts'
import type { Listening } from '../listen.ts'
import { onStop } from '../stop-signals.ts'
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
  if (warning) process.stderr.write(`chat-server: warning: ${warning}\n`)

  // The port first, so that nothing is created when it cannot be had. Requests wait until the chat is open.
  const { listener, open } = heldRequests()
  const { listenOn } = await import('../listen.ts')
  const listening = await listenOn(listener, host, port).catch(async (error) => {
    throw await listenProblem(error, host, port)
  })
  const chat = await openChat({
    db,
    maxEmojiFileSizeMib: options.maxEmojiFileSizeMib,
    maxFileUploadSizeMib: options.maxFileUploadSizeMib,
    unusedFileDays: options.unusedFileDays,
    ...(publicUrl && { publicUrl }),
    log: (message, details) => process.stderr.write(`${JSON.stringify({ message, ...details })}\n`),
    onBroken: (error) => {
      process.stderr.write(`chat-server: ${error.message}; stopping\n`)
      process.exit(1)
    },
  })
  try {
    await run(chat, options, listening, open)
  } catch (error) {
    await chat.close()
    throw error
  }
}

async function run(
  chat: Chat,
  options: ServeOptions,
  { server, port }: Listening,
  open: (listener: RequestListener) => void,
): Promise<void> {
  const { db, host, publicUrl, rateLimit, trustProxy } = options
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
  const app = createApp({ chat, rateLimit, rateLimits, trustProxy, ...(publicUrl && { publicUrl }) })
  const admin = db === ':memory:' ? undefined : await listenForCommands(chat)

  onStop(async () => {
    app.release()
    busOf(chat).close()
    await Promise.all([closeListener(server), admin?.[Symbol.asyncDispose]()])
    await chat.close()
    process.exit(0)
  })
  open(nodeListener(app))
  if (owner) process.stdout.write(welcomeText(owner, urlOf(host, port)))
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
