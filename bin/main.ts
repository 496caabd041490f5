import { CommanderError } from 'commander'
import { fail } from './failing.ts'
import { releaseMemoryWhenIdle } from './idle-memory.ts'
import type { Io } from './io.ts'
import { optimizeLate } from './late-optimizing.ts'
import { program } from './program.ts'
import { keepHeapSmall } from './small-heap.ts'

/** Runs one command line as this process. */
export async function main(argv: string[]): Promise<void> {
  optimizeLate()
  keepHeapSmall(argv[2])
  // Keeps other users of the machine from reading the database and its backups.
  process.umask(0o077)
  // After an unhandled failure the process cannot be trusted to continue, so it is reported and ended.
  process.on('uncaughtException', (error) => fail(error, process))
  process.on('unhandledRejection', (error) => fail(error, process))
  await run(argv, process)
  releaseMemoryWhenIdle()
}

/** Runs one command line. Prints any failure as one line on stderr, with exit code 1. */
export async function run(argv: string[], io: Io): Promise<void> {
  try {
    await program(io).parseAsync(argv)
  } catch (error) {
    // The parser has printed its message already.
    if (error instanceof CommanderError) io.exit(error.exitCode)
    else fail(error, io)
  }
}
