import { type Chat, openChat } from '../../src/core/chat.ts'
import { createOrganization, hasOrganization } from '../../src/core/organization/create.ts'
import { createApp } from '../../src/http/app.ts'
import { nodeListener } from '../../src/http/node.ts'
import { closeListener } from '../../src/http/server.ts'
import { spaceFor } from '../checks.ts'
import { listenForCommands } from '../control.ts'
import { listenOn } from '../listen.ts'
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
  const proxies = trustProxy ? ('loopback' as const) : false
  const app = createApp(chat, { rateLimit, trustProxy: proxies, ...(publicUrl && { publicUrl }) })
  const listening = await listenOn(nodeListener(chat, app, { trustProxy: proxies }), host, port)
  const stopCommands = db === ':memory:' ? async () => {} : await listenForCommands(chat, db)

  const stop = once(async () => {
    app.release()
    chat.hub.close()
    await Promise.all([closeListener(listening.server), stopCommands()])
    await chat.close()
    process.exit(0)
  })
  process.on('SIGTERM', stop).on('SIGINT', stop)

  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`
  const owner = (await hasOrganization(chat))
    ? undefined
    : await createOrganization(chat, { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' })
  if (owner) process.stdout.write(ownerLines(owner, url))
  process.stdout.write(`chat-server listening on ${url}\n`)
}

function once(work: () => Promise<void>): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    void work()
  }
}
