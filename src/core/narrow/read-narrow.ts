import { atOneMoment, type Caller } from '../context.ts'
import { indexerOf } from '../search/indexer.ts'
import { canonicalName } from './operators/table.ts'
import type { NarrowTerm } from './operators/terms.ts'

/** So many messages are read and shown within a turn of the event loop. */
const FEW_MESSAGES = 1000

interface NarrowRequest {
  terms: readonly NarrowTerm[]
  anchor?: string | number | null | undefined
  /** How many messages are asked for. */
  count: number
}

/**
 * Reads messages of a narrow: at once where that is quick, at one moment apart from the event loop where it may not be.
 * Searches find all messages sent before.
 */
export async function readNarrow<T>(
  caller: Caller,
  request: NarrowRequest,
  read: (reader: Caller) => Promise<T>,
): Promise<T> {
  const searches = request.terms.some((term) => canonicalName(term.operator) === 'search')
  if (searches) await indexerOf(caller.chat).catchUp(caller)
  return searches || takesLong(request) ? atOneMoment(caller, read) : read(caller)
}

/** What is unread is found by looking at ranges of many conversations; all else by an index. */
const takesLong = ({ terms, anchor, count }: NarrowRequest): boolean =>
  count > FEW_MESSAGES ||
  anchor === 'first_unread' ||
  terms.some((term) => canonicalName(term.operator) === 'is' && term.operand === 'unread')
