import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { CommandName } from './commands.ts'
import type { AnswerLine } from './socket.ts'
import { findSocket } from './socket-path.ts'

/** Runs a command in the process that has the database open; undefined if there is no such process. */
export async function callRunningServer(
  database: string,
  command: CommandName,
  args: object,
  report: (progress: string) => void = () => {},
): Promise<object | undefined> {
  const socketPath = findSocket(database)
  if (socketPath === undefined) return undefined
  const req = request({ socketPath, method: 'POST', path: '/' })
  req.end(JSON.stringify({ command, args }))
  let response: IncomingMessage
  try {
    ;[response] = await once(req, 'response')
  } catch (error) {
    // A server that was killed leaves its socket behind.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined
    if (code === 'EPIPE' || code === 'ECONNRESET') {
      throw new Error(
        `The server of ${database} closed the connection before running ${command}. It may be stopping, or have reached its limit of open files. Check its log, then try again.`,
      )
    }
    throw error
  }
  for await (const text of createInterface({ input: response })) {
    const line = JSON.parse(text) as AnswerLine
    if ('value' in line) return line.value
    if ('error' in line) throw new Error(line.error)
    report(line.progress)
  }
  throw new Error(`the server stopped while running ${command}; it is unknown how much was completed`)
}
