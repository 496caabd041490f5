import { type ManualClock, manualClock } from '../core/base/clock.ts'
import type { Logger } from '../core/base/logger.ts'
import { type ChatServer, createChatServer, type ServerOptions } from '../http/server.ts'

/** One line of a log. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  message: string
  details: object
}

export interface TestServer extends ChatServer {
  /** The time does not change until a test advances it. */
  readonly clock: ManualClock
  /** What was logged. */
  readonly log: readonly LogEntry[]
}

/** A server on a database in memory, on any free port, with a clock advanced by hand and without rate limits. */
export async function testServer(
  options: Omit<ServerOptions, 'clock' | 'logger'> & { clock?: ManualClock } = {},
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
    logger: collecting(log),
  })
  return Object.assign(server, { clock, log })
}

/** A logger that keeps its lines in a list. */
export function collecting(log: LogEntry[]): Logger {
  const at = (level: LogEntry['level']) => (details: object, message: string) =>
    void log.push({ level, message, details })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
