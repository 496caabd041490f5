import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, realpathSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Chat } from '../src/core/chat.ts'
import { type CommandName, commands } from './commands/table.ts'

/** Longest path a Unix socket may have on every system. */
const MAX_SOCKET_PATH = 100

/** Where the process that owns a database takes commands: beside it, or in the folder for such things. */
export function socketPath(file: string): string {
  const folder = dirname(resolve(file))
  const whole = join(existsSync(folder) ? realpathSync(folder) : folder, basename(file))
  const beside = `${whole}.sock`
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH) return beside
  return join(tmpdir(), `chat-server-${createHash('sha256').update(whole).digest('hex').slice(0, 24)}.sock`)
}

interface Order {
  command: CommandName
  args: unknown
}
type Outcome = { value: object } | { error: string }

/** Takes commands for an open chat. Only this user of the machine may give them. */
export async function listenForCommands(chat: Chat, file: string): Promise<() => Promise<void>> {
  const path = socketPath(file)
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const outcome = await perform(chat, JSON.parse(text) as Order)
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify(outcome))
  })
  // Whoever left it there does not hold the database, as we do.
  rmSync(path, { force: true })
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((listening, failed) => server.once('error', failed).listen(path, listening))
    chmodSync(path, 0o600)
  } finally {
    process.umask(mask)
  }
  server.unref()
  return async () => {
    await new Promise((closed) => {
      server.close(closed)
      server.closeIdleConnections()
    })
    rmSync(path, { force: true })
  }
}

async function perform(chat: Chat, { command, args }: Order): Promise<Outcome> {
  try {
    return { value: await commands[command](chat, args as never) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Has the process that owns a database do it; undefined if there is none. */
export function askOwner(file: string, command: CommandName, args: object): Promise<object | undefined> {
  const path = socketPath(file)
  const mine = process.getuid?.()
  // In a folder open to all someone else might have put one there.
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid
  if (owner === undefined || (mine !== undefined && mine !== 0 && owner !== mine)) return Promise.resolve(undefined)
  return new Promise((resolveWith, reject) => {
    const req = request({ socketPath: path, method: 'POST', path: '/' }, async (res) => {
      let text = ''
      for await (const chunk of res) text += chunk
      const outcome = JSON.parse(text) as Outcome
      if ('error' in outcome) reject(new Error(outcome.error))
      else resolveWith(outcome.value)
    })
    req.on('error', (error) => {
      // A server that was killed leaves its socket behind.
      if ('code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT')) resolveWith(undefined)
      else reject(error)
    })
    req.end(JSON.stringify({ command, args } satisfies Order))
  })
}
