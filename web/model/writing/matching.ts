/** Folded for comparison: without case and accents. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** How well a name fits: it begins so, a word of it does, it has it inside; not at all is undefined. */
export function fit(name: string, query: string): number | undefined {
  const text = folded(name)
  if (text.startsWith(query)) return 0
  const at = text.indexOf(query)
  if (at === -1) return undefined
  return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 1
}

export function best<T>(things: readonly T[], query: string, nameOf: (thing: T) => string, most: number): T[] {
  const ranks: T[][] = [[], [], []]
  for (const thing of things) {
    const rank = fit(nameOf(thing), query)
    if (rank !== undefined) ranks[rank]!.push(thing)
    if (ranks[0]!.length >= most) break
  }
  return ranks.flat().slice(0, most)
}
