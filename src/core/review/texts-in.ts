/**
 * Returns the texts in a value of JSON, such as the data of a widget, without the types of its parts. It doesn't call
 * itself, because anyone can send thousands of lists inside each other.
 */
export function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const waiting = [value]
  while (waiting.length > 0) {
    const part = waiting.pop()
    if (typeof part === 'string') texts.push(part)
    if (typeof part !== 'object' || part === null) continue
    const parts = Object.entries(part).filter(([name]) => !/^(?:type|widget_type)$/.test(name))
    for (const [, inner] of parts.reverse()) waiting.push(inner)
  }
  return texts
}

/** Groups texts for filters: they look at a group in one go, so a group isn't much longer than a message. */
export function* inGroups(texts: readonly string[], longest: number): Generator<string> {
  let group: string[] = []
  let length = 0
  for (const text of texts) {
    if (group.length > 0 && length + text.length > longest) {
      yield group.join('\n')
      group = []
      length = 0
    }
    group.push(text)
    length += text.length + 1
  }
  yield group.join('\n')
}
