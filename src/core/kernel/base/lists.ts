/** Ids as events and views list them: ascending, each once. */
export const uniqueSorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Splits ids into lists for one insert statement each. */
export function* chunked<T>(things: readonly T[], size = 1000): Generator<readonly T[]> {
  for (let start = 0; start < things.length; start += size) yield things.slice(start, start + size)
}

/** Rows by a key they share, in their order. */
export function groupBy<K, T>(rows: Iterable<T>, keyOf: (row: T) => K): Map<K, T[]>
export function groupBy<K, T, V>(rows: Iterable<T>, keyOf: (row: T) => K, toValue: (row: T) => V): Map<K, V[]>
export function groupBy<K, T>(
  rows: Iterable<T>,
  keyOf: (row: T) => K,
  toValue: (row: T) => unknown = (row) => row,
): Map<K, unknown[]> {
  const groups = new Map<K, unknown[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(toValue(row))
    else groups.set(key, [toValue(row)])
  }
  return groups
}

/** Index of the first id in ascending ids that is not below this one. */
export function indexFrom(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
