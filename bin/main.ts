import { fail } from './failing.ts'
import { program } from './program.ts'

/** Runs one command line. Any failure is printed as one line on stderr, with exit code 1. */
export async function main(argv: string[]): Promise<void> {
  // Other users of the machine must not be able to read the database and its copies.
  process.umask(0o077)
  // After an unhandled failure the process cannot be trusted to continue, so it is reported and ended.
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  try {
    await program().parseAsync(argv)
  } catch (error) {
    fail(error)
  }
}
