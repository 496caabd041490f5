/** A stream that a command prints to. */
export interface Output {
  write(text: string): unknown
  isTTY?: boolean
  hasColors?(): boolean
  /** Missing if the stream isn't a file of this process. */
  fd?: number
}

/** The parts of a process that commands use. This is `process` itself; tests pass an object of their own. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** The exit code if the process ends without `exit`. */
  exitCode?: typeof process.exitCode
  exit(code: number): void
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: string) => void): unknown
}
