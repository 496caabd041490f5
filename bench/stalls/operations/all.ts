import { importOperations } from './imports.ts'
import { messagesOperations } from './messages.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people.ts'
import { readingOperations } from './reading.ts'
import { serverOperations } from './server.ts'
import { streamsOperations } from './streams.ts'

/** All operations whose cost grows with their parameters or with the size of the data, at their largest. */
export const operations: readonly Operation[] = [
  ...streamsOperations,
  ...messagesOperations,
  ...readingOperations,
  ...peopleOperations,
  ...serverOperations,
  ...importOperations,
]
