/** Folded for comparison: without case and accents. */
export const folded = (text: string): string =>
  (/[^ -~]/.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase()

const foldedNames = new Map<string, string>()

/** Names are folded only once. With thousands of people, folding takes most of the time of a key press. */
export function foldedName(name: string): string {
  const known = foldedNames.get(name)
  if (known !== undefined) return known
  const fresh = folded(name)
  foldedNames.set(name, fresh)
  return fresh
}

/** How well a folded name fits: it begins so, a word of it does, it has it inside; not at all is undefined. */
export function fit(text: string, query: string): number | undefined {
  if (text.startsWith(query)) return 0
  const at = text.indexOf(query)
  if (at === -1) return undefined
  return isOfWord(text.charCodeAt(at - 1)) ? 2 : 1
}

/** Whether it is a letter or a digit; of most that is known without asking Unicode, which takes longer than all else here. */
const isOfWord = (code: number): boolean =>
  code < 128
    ? (97 <= code && code <= 122) || (48 <= code && code <= 57)
    : /[\p{L}\p{N}]/u.test(String.fromCharCode(code))

export const best = <T>(things: readonly T[], query: string, nameOf: (thing: T) => string, most: number): T[] =>
  bestFolded(things, query, (thing) => foldedName(nameOf(thing)), most)

/** The same for things that have their names folded. */
export function bestFolded<T>(things: readonly T[], query: string, textOf: (thing: T) => string, most: number): T[] {
  const ranks: T[][] = [[], [], []]
  for (const thing of things) {
    const rank = fit(textOf(thing), query)
    if (rank !== undefined) ranks[rank]!.push(thing)
    if (ranks[0]!.length >= most) break
  }
  return ranks.flat().slice(0, most)
}
