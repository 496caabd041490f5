import type { Caller } from '../../kernel/context.ts'
import { mergeSlice } from '../../narrow/search/text.ts'

/** Commits without a merge after one that found nothing to do. */
const REST = 8

/**
 * Returns a function to be called after each commit that changes the full-text index. It merges a few parts. Each commit adds a
 * part, and a thousand of them are merged in one commit, which takes seconds.
 */
export function createMerger(caller: Caller): () => Promise<void> {
  let rest = 0
  return async () => {
    if (rest-- > 0) return
    const isMore = await caller.write((tx) => mergeSlice(tx), { relaxed: true, indexes: true })
    rest = isMore ? 0 : REST
  }
}
