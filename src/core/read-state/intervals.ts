/** An inclusive range of message ids. Lists of them are ascending and disjoint. */
export interface Range {
  lo: number
  hi: number
}

/** Ranges and single ids as one ascending list of disjoint ranges; adjacent ones are not merged. */
export function withIds(ranges: readonly Range[], ids: readonly number[]): Range[] {
  const all: Range[] = []
  let next = 0
  for (const id of ids) {
    while (next < ranges.length && ranges[next]!.lo <= id) all.push(ranges[next++]!)
    const last = all.at(-1)
    if (last && id <= last.hi) continue
    all.push({ lo: id, hi: id })
  }
  all.push(...ranges.slice(next))
  return all
}

/** The gaps between successive ranges, by the index of the range before; adjacent ranges have none. */
export function gapsBetween(ranges: readonly Range[]): (Range & { after: number })[] {
  const gaps: (Range & { after: number })[] = []
  for (let i = 0; i + 1 < ranges.length; i++) {
    const gap = { after: i, lo: ranges[i]!.hi + 1, hi: ranges[i + 1]!.lo - 1 }
    if (gap.lo <= gap.hi) gaps.push(gap)
  }
  return gaps
}

/** Merges successive ranges, except across the gaps that must stay. */
export function mergeRanges(ranges: readonly Range[], stays: (after: number) => boolean): Range[] {
  const result: Range[] = []
  for (const [i, range] of ranges.entries()) {
    const last = result.at(-1)
    if (last && !stays(i - 1)) result[result.length - 1] = { lo: last.lo, hi: range.hi }
    else result.push(range)
  }
  return result
}

/** Ranges without these ids. */
export function withoutIds(ranges: readonly Range[], ids: readonly number[]): Range[] {
  const result: Range[] = []
  let next = 0
  for (const range of ranges) {
    let { lo } = range
    while (next < ids.length && ids[next]! < lo) next++
    for (; next < ids.length && ids[next]! <= range.hi; next++) {
      if (lo < ids[next]!) result.push({ lo, hi: ids[next]! - 1 })
      lo = ids[next]! + 1
    }
    if (lo <= range.hi) result.push({ lo, hi: range.hi })
  }
  return result
}

/** The intersection of two lists. */
export function intersection(a: readonly Range[], b: readonly Range[]): Range[] {
  const result: Range[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const lo = Math.max(a[i]!.lo, b[j]!.lo)
    const hi = Math.min(a[i]!.hi, b[j]!.hi)
    if (lo <= hi) result.push({ lo, hi })
    if (a[i]!.hi < b[j]!.hi) i++
    else j++
  }
  return result
}

/** The complement: all ids in none of the ranges. */
export function complement(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  let lo = 1
  for (const range of ranges) {
    if (lo < range.lo) result.push({ lo, hi: range.lo - 1 })
    lo = Math.max(lo, range.hi + 1)
  }
  result.push({ lo, hi: Number.MAX_SAFE_INTEGER })
  return result
}
