import type { Logger } from 'pino'
import type { Io } from './io.ts'

const logs = new WeakMap<Io, Pick<Logger, 'fatal'>>()

/** Reports failures as lines of this log instead of sentences on stderr. */
export function reportFailuresTo(log: Pick<Logger, 'fatal'>, io: Io): void {
  logs.set(io, log)
}

/** Ends the process after an error that can't be handled. */
export function fail(error: unknown, io: Io): void {
  const line = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error)
  const log = logs.get(io)
  if (log) log.fatal({ err: error }, `${line.replace(/\.$/, '')}; stopping`)
  else io.stderr.write(`chat-server: ${line}\n`)
  io.exit(1)
}
