import { messagesOperations } from './messages.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people.ts'
import { readingOperations } from './reading.ts'
import { serverOperations } from './server.ts'
import { streamsOperations } from './streams.ts'

/** Everything whose work grows with its parameters or with what there is, at its largest. */
export const operations: readonly Operation[] = [
  ...streamsOperations,
  ...messagesOperations,
  ...readingOperations,
  ...peopleOperations,
  ...serverOperations,
]
