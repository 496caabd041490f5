/** Columns by which a nested list is indented. */
export const INDENT = 2

const first = { ul: /^ ?[*+-] +/, ol: /^ ?\d+\. +/ } as const
const indented = /^ {2,3}(?:\d+\.|[*+-]) +/

export type ListTag = keyof typeof first

/** The kind of list that a line begins, if any. */
export function listAt(line: string): ListTag | undefined {
  return first.ol.test(line) ? 'ol' : first.ul.test(line) ? 'ul' : undefined
}

/** Removes up to `levels` steps of indentation from lines. */
export function outdent(lines: readonly string[], levels: number): string[] {
  const prefix = ' '.repeat(INDENT * levels)
  return lines.map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
}

/** How many steps a line is indented. */
export const levelOf = (line: string): number => Math.floor((line.length - line.trimStart().length) / INDENT)

/**
 * Divides the lines of a list into its items, without their markers. Indented lines belong to the item before.
 */
export function itemsOf(lines: readonly string[], tag: ListTag): string[][] {
  const items: string[][] = []
  for (const line of lines) {
    const mark = first[tag].exec(line)
    const last = items.at(-1)
    if (mark) items.push([line.slice(mark[0].length)])
    else if (last && !(indented.test(line) && !last[0]!.startsWith('  '))) last.push(line)
    else items.push([line])
  }
  return items
}

/** The number a list begins with. */
export const startOf = (line: string): string => /\d+/.exec(line)![0]
