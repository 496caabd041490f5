/** Ids as events and views list them. */
export const uniqueSorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** One statement holds so many rows and no more. */
export function* chunked(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += 1000) yield ids.slice(start, start + 1000)
}
