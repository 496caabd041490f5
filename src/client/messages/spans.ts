/**
 * A range of message ids in which all messages of a narrow are known: the ones in `ids` and no others. `from` is 0 if
 * the range includes the oldest message. `to` is Infinity if it includes the newest and all future messages.
 */
export interface Span {
  readonly from: number
  readonly to: number
  /** Ascending. */
  readonly ids: readonly number[]
}

export const isIn = ({ from, to }: Span, id: number): boolean => from <= id && id <= to

/** Adds a span and merges it with overlapping ones. The result is ascending and disjoint. */
export function addSpan(spans: readonly Span[], span: Span): Span[] {
  const meets = (other: Span) => other.from <= span.to && span.from <= other.to
  const parts = [...spans.filter(meets), span]
  const joined: Span = {
    from: Math.min(...parts.map((part) => part.from)),
    to: Math.max(...parts.map((part) => part.to)),
    ids: ascending(parts.flatMap((part) => part.ids)),
  }
  return [...spans.filter((other) => !meets(other)), joined].sort((a, b) => a.from - b.from)
}

/** Adds a message to the span that covers it. Returns the same spans if nothing changes. */
export function insertId(spans: readonly Span[], id: number): readonly Span[] {
  const at = spans.findIndex((span) => isIn(span, id))
  const span = spans[at]
  if (!span || span.ids.includes(id)) return spans
  const newest = span.ids.at(-1)
  const ids = newest === undefined || newest < id ? [...span.ids, id] : ascending([...span.ids, id])
  return spans.with(at, { ...span, ids })
}

/** Removes a message. Returns the same spans if it is in none. */
export function removeId(spans: readonly Span[], id: number): readonly Span[] {
  const at = spans.findIndex((span) => span.ids.includes(id))
  const span = spans[at]
  return span ? spans.with(at, { ...span, ids: span.ids.filter((one) => one !== id) }) : spans
}

/** Ends the span that includes this message before it. */
export const cutBefore = (spans: readonly Span[], id: number): readonly Span[] =>
  spans.map((span) =>
    isIn(span, id) ? { from: span.from, to: id - 1, ids: span.ids.filter((one) => one < id) } : span,
  )

/**
 * Keeps only the span around a message, or the newest span, with at most this many messages on each side. Returns the
 * same spans if nothing changes.
 */
export function spansNear(spans: readonly Span[], place: number | undefined, most: number): readonly Span[] {
  const span = spans.find((one) => place !== undefined && isIn(one, place)) ?? spans.at(-1)
  if (!span) return spans
  const { ids } = span
  const found = place === undefined ? -1 : ids.findIndex((id) => id >= place)
  const middle = found === -1 ? ids.length : found
  const kept = ids.slice(Math.max(0, middle - most), middle + most)
  if (kept.length === ids.length) return spans.length === 1 ? spans : [span]
  const from = kept[0] === ids[0] ? span.from : kept[0]!
  const to = kept.at(-1) === ids.at(-1) ? span.to : kept.at(-1)!
  return [{ from, to, ids: kept }]
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Removes everything before a message from a span. */
export const startingAt = ({ from, to, ids }: Span, id: number): Span =>
  from >= id ? { from, to, ids } : { from: id, to, ids: ids.filter((one) => one >= id) }
