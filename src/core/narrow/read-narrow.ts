import { type Caller, contextOf, inSnapshot } from '../kernel/context.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { canonicalName } from './operators/table.ts'
import type { NarrowTerm } from './operators/terms.ts'
import { indexerOf } from './search/indexer.ts'

/** A request for no more messages than this is answered on the main thread. */
const FEW_MESSAGES = 1000

interface NarrowRequest {
  terms: readonly NarrowTerm[]
  anchor?: string | number | null | undefined
  /** How many messages are requested. */
  count: number
}

/**
 * Reads messages of a narrow: directly where that is fast, else from a snapshot off the main thread. Searches
 * find all messages sent before the call.
 */
export async function readNarrow<T>(
  caller: Caller,
  request: NarrowRequest,
  read: (reader: Caller) => Promise<T>,
): Promise<T> {
  const searches = request.terms.some((term) => canonicalName(term.operator) === 'search')
  // Without an account there is no writer, so it is the server's own work.
  if (searches) await indexerOf(caller.chat).catchUp(isSpectator(caller.user) ? contextOf(caller.chat) : caller)
  return searches || takesLong(request) ? inSnapshot(caller, read) : read(caller)
}

/** Unread messages are found by reading the ranges of many conversations; all others by an index. */
const takesLong = ({ terms, anchor, count }: NarrowRequest): boolean =>
  count > FEW_MESSAGES ||
  anchor === 'first_unread' ||
  anchor === 'date' ||
  terms.some((term) => canonicalName(term.operator) === 'is' && term.operand === 'unread')
