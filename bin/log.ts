import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { readableLine } from './readable-line.ts'

/**
 * The log of a running server, one line per event on stderr: for people where that is a terminal, else JSON with `level`,
 * `time` and `msg`. Written at once, so that the last line before a crash is there, in its place.
 */
export function createLog(): Logger {
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    // No detail has such a name; should one be added by mistake, it is not written.
    redact: ['password', 'api_key', 'authorization', 'headers', 'body'],
  }
  return pino(options, process.stderr.isTTY ? forPeople : destination({ fd: process.stderr.fd, sync: true }))
}

const forPeople: DestinationStream = {
  write: (line) => void process.stderr.write(readableLine(line, process.stderr.hasColors?.() ?? false)),
}
