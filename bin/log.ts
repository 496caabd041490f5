import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Output } from './io.ts'
import { readableLine } from './readable-line.ts'

/**
 * The log of a running server, one line per event on stderr: for people where that is a terminal, else JSON with `level`,
 * `time` and `msg`. Written at once, so that the last line before a crash is there, in its place.
 */
export function createLog(stderr: Output): Logger {
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    // No detail has such a name; should one be added by mistake, it is not written.
    redact: ['password', 'api_key', 'authorization', 'headers', 'body'],
  }
  return pino(options, stderr.isTTY ? forPeople(stderr) : asJson(stderr))
}

const forPeople = (stderr: Output): DestinationStream => ({
  write: (line) => void stderr.write(readableLine(line, stderr.hasColors?.() ?? false)),
})

const asJson = (stderr: Output): DestinationStream =>
  stderr.fd === undefined ? { write: (line) => void stderr.write(line) } : destination({ fd: stderr.fd, sync: true })
