import { type ManualClock, manualClock } from '../core/base/clock.ts'
import { type ChatServer, createChatServer, type ServerOptions } from '../http/server.ts'

export interface LogEntry {
  message: string
  details?: object | undefined
}

export interface TestServer extends ChatServer {
  /** The time does not change until a test advances it. */
  readonly clock: ManualClock
  /** Lines written to the log. */
  readonly log: readonly LogEntry[]
}

/** A server on a database in memory, on any free port, with a clock advanced by hand and without rate limits. */
export async function testServer(
  options: Omit<ServerOptions, 'clock' | 'log'> & { clock?: ManualClock } = {},
): Promise<TestServer> {
  const clock = options.clock ?? manualClock()
  const log: LogEntry[] = []
  const server = await createChatServer({
    db: ':memory:',
    passwordCost: 4,
    rateLimit: false,
    checkContract: true,
    ...options,
    clock,
    log: (message, details) => void log.push({ message, details }),
  })
  return Object.assign(server, { clock, log })
}
