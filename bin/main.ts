import { fail } from './failing.ts'
import { program } from './program.ts'

/** Runs one command line. Whatever goes wrong is one line on stderr and exit code 1. */
export async function main(argv: string[]): Promise<void> {
  // The database and its copies are nobody else's to read.
  process.umask(0o077)
  // Nothing that failed unnoticed can be trusted to go on.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  try {
    await program().parseAsync(argv)
  } catch (error) {
    fail(error)
  }
}
