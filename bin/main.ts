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

const lineOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n', 1)[0]! : String(error))
