import { program } from './program.ts'

/** Runs one command line. Whatever goes wrong is one line on stderr and exit code 1. */
export async function main(argv: string[]): Promise<void> {
  // The database and its copies are nobody else's to read.
  process.umask(0o077)
  // Told and ended here, as nothing that failed unnoticed can be trusted to go on.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  try {
    await program().parseAsync(argv)
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): never {
  process.stderr.write(`chat-server: ${lineOf(error)}\n`)
  process.exit(1)
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `${error.message.replace(/^listen /, 'cannot listen: ')}`
  }
  return error.message.split('\n', 1)[0]!
}
