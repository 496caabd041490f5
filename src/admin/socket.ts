import { chmodSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as v from 'valibot'
import type { Chat } from '../core/kernel/chat.ts'
import { storeOf } from '../core/kernel/store.ts'
import type { CommandName } from './commands.ts'
import { makePlace } from './socket-path.ts'

const MAX_REQUEST_BYTES = 16 * 1024 * 1024

/** A line of a response: first the command's progress, any number of times, then its result. */
export type AnswerLine = { progress: string } | { value: object } | { error: string }

/**
 * Accepts the commands of `chat-server user`, `backup`, `org` and the rest for a chat that this process has open. It
 * listens on a Unix socket beside the database that only this user of the machine and the superuser can reach. The
 * command line finds the socket, so these commands work while the application is running. `chat-server serve` calls
 * this itself.
 *
 * @throws Error if the socket can't be created, for instance for a database in memory
 * @example
 * await using chat = await openChat({ db: 'chat.db' })
 * await using admin = await listenForCommands(chat)
 */
export async function listenForCommands(chat: Chat): Promise<AsyncDisposable> {
  const place = makePlace(storeOf(chat).file)
  const server = createServer((req, res) => void answer(chat, req, res))
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((listening, failed) => server.once('error', failed).listen(place.path, listening))
    chmodSync(place.path, 0o600)
  } catch (error) {
    place.remove()
    throw error
  } finally {
    process.umask(mask)
  }
  server.unref()
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => {
        server.close(closed)
        server.closeIdleConnections()
      })
      place.remove()
    },
  }
}

/** Loaded with the first command, because the code of imports and exports takes megabytes. */
const importCommands = () =>
  import('./commands.ts').catch((cause: unknown) => {
    throw new Error("The server's files have changed since it started. Restart the server.", { cause })
  })

/** Never throws and never rejects: no input here may stop the server. */
async function answer(chat: Chat, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const write = (line: AnswerLine) => void (res.writable && res.write(`${JSON.stringify(line)}\n`))
  const ended = new AbortController()
  res.on('error', () => {})
  res.on('close', () => ended.abort(new Error('the command was canceled')))
  try {
    const { commandNames, runCommand } = await importCommands()
    const { command, args } = await parse(req, commandNames)
    res.writeHead(200, { 'content-type': 'application/x-ndjson' })
    write({ value: await runCommand(chat, command, args, (progress) => write({ progress }), ended.signal) })
  } catch (error) {
    if (!res.headersSent) res.writeHead(400, { 'content-type': 'application/x-ndjson', connection: 'close' })
    write({ error: error instanceof Error ? error.message : String(error) })
  }
  res.end()
}

async function parse(req: IncomingMessage, names: readonly CommandName[]) {
  const request = v.object({ command: v.picklist(names), args: v.record(v.string(), v.unknown()) })
  let size = 0
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) throw new Error(`A command can have at most ${MAX_REQUEST_BYTES / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), request), Buffer.concat(chunks).toString())
  if (!parsed.success) throw new Error('A command must be a JSON object with "command" and "args"')
  return parsed.output
}
