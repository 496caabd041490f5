/** Facts about an object, by name. */
export type Facts = Readonly<Record<string, unknown>>

/** A value that nobody may read. Only whether it changed is recorded. */
export class Hidden {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const MAX_TEXT_LENGTH = 500
const MAX_ENTRIES = 100

/** Returns what differs between two states of an object; undefined if nothing does. Of lists, only the entries that differ. */
export function difference(
  before: Facts | null,
  after: Facts | null,
): { before: Facts | null; after: Facts | null } | undefined {
  if (!before && !after) return undefined
  if (!before || !after) return { before: before && known(before), after: after && known(after) }
  const was: Record<string, unknown> = {}
  const is: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [before[name] ?? null, after[name] ?? null]
    if (JSON.stringify(a) === JSON.stringify(b)) continue
    const areLists = Array.isArray(a) && Array.isArray(b)
    was[name] = short(areLists ? without(a, b) : a)
    is[name] = short(areLists ? without(b, a) : b)
  }
  return Object.keys(is).length === 0 ? undefined : { before: was, after: is }
}

const without = (list: readonly unknown[], others: readonly unknown[]): unknown[] => {
  const known = new Set(others)
  return list.filter((entry) => !known.has(entry))
}

const known = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts)
      .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [name, short(value)]),
  )

/** Cuts long texts and lists, and takes away what nobody may read. */
export function short(value: unknown): unknown {
  if (value instanceof Hidden) return '(hidden)'
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) return `${value.slice(0, MAX_TEXT_LENGTH)}…`
  if (!Array.isArray(value) || value.length <= MAX_ENTRIES) return value
  return [...value.slice(0, MAX_ENTRIES), `and ${value.length - MAX_ENTRIES} more`]
}
