import type { Logger } from 'pino'

let log: Pick<Logger, 'fatal'> | undefined

/** From now on failures are lines of this log; before, they are a sentence on stderr. */
export function reportFailuresTo(running: Pick<Logger, 'fatal'>): void {
  log = running
}

/** Ends the process over an error that nothing can be done about. */
export function fail(error: unknown): never {
  const line = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error)
  if (log) log.fatal({ err: error }, `${line.replace(/\.$/, '')}; stopping`)
  else process.stderr.write(`chat-server: ${line}\n`)
  process.exit(1)
}
