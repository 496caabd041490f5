/** What a command left behind. */
export interface Ended {
  code: number
  out: string
  err: string
}

/** One line of the log of a server whose stderr is no terminal. */
export interface LogLine {
  time: string
  level: string
  msg: string
  [detail: string]: unknown
}

/** A server that listens. */
export interface Served extends AsyncDisposable {
  url: string
  /** Everything it has printed. */
  out(): string
  err(): string
  log(): LogLine[]
  /** The lines of its log above information. */
  warnings(): LogLine[]
}

/** Where a server listens, once it has printed that. */
export const urlIn = (out: string): string | undefined => /^chat-server listening on (http:\S+)$/m.exec(out)?.[1]

/** Reads the log from what a server has printed to stderr. */
export function logOf(err: () => string): Pick<Served, 'log' | 'warnings'> {
  const log = () =>
    err()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine)
  return { log, warnings: () => log().filter(({ level }) => level !== 'info') }
}
