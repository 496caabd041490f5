import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import type { Chat } from '../../src/core/chat.ts'
import { busOf } from '../../src/core/event-log/bus.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { parseRates } from '../../src/http/guards/rates.ts'
import { type TrustProxy, trustOf } from '../../src/http/proxy.ts'
import { spaceFor } from '../checks.ts'
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
}

/** Opens, listens, says so in one line, and closes in order on SIGTERM. */
export async function serve(options: ServeOptions): Promise<void> {
  const { db, publicUrl } = options
  // What is wrong with the options is an error before there is a database.
  trustOf(options.trustProxy)
  parseRates(options.rateLimits ?? [])
  const { problem, warning } = spaceFor(db)
  if (problem) throw new Error(problem)
  if (warning) process.stderr.write(`chat-server: warning: ${warning}\n`)

  const chat = await openChat({
    db,
    maxEmojiFileSizeMib: options.maxEmojiFileSizeMib,
    ...(publicUrl && { publicUrl }),
    log: (message, details) => process.stderr.write(`${JSON.stringify({ message, ...details })}\n`),
    onBroken: (error) => {
      process.stderr.write(`chat-server: ${error.message}; stopping\n`)
      process.exit(1)
    },
  })
  try {
    await run(chat, options)
  } catch (error) {
    await chat.close()
    throw error
  }
}

async function run(chat: Chat, options: ServeOptions): Promise<void> {
  const { db, host, port, publicUrl, rateLimit, trustProxy } = options
  // The owner's password takes a tenth of a second to hash, on another thread; meanwhile the rest is loaded.
  const creating = (await hasOrganization(chat)) ? undefined : createOrganization(chat, firstOrganization)
  const [{ createApp }, { nodeListener }, { closeListener }, { listenForCommands }, { listenOn }] = await Promise.all([
    import('../../src/http/app.ts'),
    import('../../src/http/node.ts'),
    import('../../src/http/server.ts'),
    import('../../src/admin/socket.ts'),
    import('../listen.ts'),
  ])
  const owner = await creating
  const tell = (url: string) => owner && process.stdout.write(welcomeText(owner, url))

  const rateLimits = parseRates(options.rateLimits ?? [])
  const app = createApp(chat, { rateLimit, rateLimits, trustProxy, ...(publicUrl && { publicUrl }) })
  const urlAt = (actual: number) => `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
  const listening = await listenOn(nodeListener(app), host, port).catch((error) => {
    // The organization is made and stays; its password is shown only now.
    tell(urlAt(port))
    throw error
  })
  const admin = db === ':memory:' ? undefined : await listenForCommands(chat)

  const stop = once(async () => {
    app.release()
    busOf(chat).close()
    await Promise.all([closeListener(listening.server), admin?.[Symbol.asyncDispose]()])
    await chat.close()
    process.exit(0)
  })
  process.on('SIGTERM', stop).on('SIGINT', stop)

  tell(urlAt(listening.port))
  process.stdout.write(`chat-server listening on ${urlAt(listening.port)}\n`)
}

const firstOrganization = { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' }

function once(work: () => Promise<void>): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    void work()
  }
}
