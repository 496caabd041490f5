/** The positions of a long list's rows. A row's height is estimated until the row has been drawn. */
export interface RowPlaces<T> {
  /** Replaces the items and keeps measured heights. */
  setItems(items: readonly T[]): void
  indexOf(key: string): number | undefined
  keyAt(index: number): string | undefined
  /** The distance of a row from the start of the list. One past the last row gives the end of the list. */
  topOf(index: number): number
  /** The row at this distance from the start; the first or last row outside the list. */
  indexAt(y: number): number
  /** Returns whether the height changed. */
  setHeight(index: number, height: number): boolean
}

/** Smaller differences come from rounding. */
const SAME_PX = 0.5

export function rowPlaces<T>(keyOf: (item: T) => string, guess: (item: T) => number): RowPlaces<T> {
  const known = new Map<string, number>()
  let keys: string[] = []
  let indexes: Map<string, number> | undefined
  let heights = new Float64Array(0)
  let tops = new Float64Array(1)
  /** The tops up to this row are valid. */
  let sure = 0

  function topOf(index: number): number {
    for (; sure < index; sure++) tops[sure + 1] = tops[sure]! + heights[sure]!
    return tops[index]!
  }
  return {
    setItems(items) {
      keys = items.map(keyOf)
      indexes = undefined
      // Several times as fast as `Float64Array.from`.
      heights = new Float64Array(items.length)
      const hasKnown = known.size > 0
      for (let i = 0; i < items.length; i++) {
        heights[i] = (hasKnown ? known.get(keys[i]!) : undefined) ?? guess(items[i]!)
      }
      tops = new Float64Array(items.length + 1)
      sure = 0
    },
    indexOf(key) {
      indexes ??= new Map(keys.map((one, i) => [one, i]))
      return indexes.get(key)
    },
    keyAt: (index) => keys[index],
    topOf,
    indexAt(y) {
      topOf(keys.length)
      let low = 0
      let high = keys.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (tops[middle]! <= y) low = middle
        else high = middle - 1
      }
      return Math.max(0, low)
    },
    setHeight(index, height) {
      if (Math.abs(heights[index]! - height) < SAME_PX) return false
      known.set(keys[index]!, height)
      heights[index] = height
      sure = Math.min(sure, index)
      return true
    },
  }
}
