/** Returns translated texts by name. The build stores them without their names, in the order of the English texts. */
export function inOrder<T extends object>(english: T, texts: object): T {
  if (!Array.isArray(texts)) return texts as T
  const left = texts.values()
  const named = (group: object): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, text]) => [name, typeof text === 'object' ? named(text) : left.next().value]),
    )
  return named(english) as T
}
