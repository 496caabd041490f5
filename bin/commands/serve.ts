import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import type { Chat } from '../../src/core/chat.ts'
import { busOf } from '../../src/core/event-log/bus.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { spaceFor } from '../checks.ts'
import { ownerLines } from '../owner-lines.ts'

export interface ServeOptions {
  db: string
  host: string
  port: number
  publicUrl?: string
  rateLimit: boolean
  trustProxy: boolean
  maxEmojiFileSizeMib: number
}

/** Opens, listens, says so in one line, and closes in order on SIGTERM. */
export async function serve(options: ServeOptions): Promise<void> {
  const { db, publicUrl } = options
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

async function run(chat: Chat, { db, host, port, publicUrl, rateLimit, trustProxy }: ServeOptions): Promise<void> {
  // The owner's password takes a tenth of a second to hash, on another thread; meanwhile the rest is loaded.
  const creating = (await hasOrganization(chat)) ? undefined : createOrganization(chat, firstOrganization)
  const [{ createApp }, { nodeListener }, { closeListener }, { listenForCommands }, { listenOn }] = await Promise.all([
    import('../../src/http/app.ts'),
    import('../../src/http/node.ts'),
    import('../../src/http/server.ts'),
    import('../control.ts'),
    import('../listen.ts'),
  ])
  const owner = await creating
  const tell = (url: string) => owner && process.stdout.write(ownerLines(owner, url))

  const proxies = trustProxy ? ('loopback' as const) : false
  const app = createApp(chat, { rateLimit, trustProxy: proxies, ...(publicUrl && { publicUrl }) })
  const urlAt = (actual: number) => `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
  const listening = await listenOn(nodeListener(chat, app, { trustProxy: proxies }), host, port).catch((error) => {
    // The organization is made and stays; its password is shown only now.
    tell(urlAt(port))
    throw error
  })
  const stopCommands = db === ':memory:' ? async () => {} : await listenForCommands(chat, db)

  const stop = once(async () => {
    app.release()
    busOf(chat).close()
    await Promise.all([closeListener(listening.server), stopCommands()])
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
