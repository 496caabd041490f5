import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Output } from './io.ts'
import { readableLine } from './readable-line.ts'

/**
 * Creates the log of a running server, with one line per event on stderr: readable text on a terminal, otherwise JSON
 * with `level`, `time` and `msg`. Lines are written synchronously, so that the last line before a crash is there.
 */
export function createLog(stderr: Output): Logger {
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    // No log line has members with these names. A member added by mistake is left out.
    redact: ['password', 'api_key', 'authorization', 'headers', 'body'],
  }
  return pino(options, stderr.isTTY ? forPeople(stderr) : asJson(stderr))
}

const forPeople = (stderr: Output): DestinationStream => ({
  write: (line) => void stderr.write(readableLine(line, stderr.hasColors?.() ?? false)),
})

const asJson = (stderr: Output): DestinationStream =>
  stderr.fd === undefined ? { write: (line) => void stderr.write(line) } : destination({ fd: stderr.fd, sync: true })
