import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Feed, isIn, type Span, type Window } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import type { FeedView } from './feed-view.ts'
import { countToFill, PAGE } from './first-messages.ts'

/** Messages drawn at most, for people who read for hours. */
const MOST = Math.max(120, Math.ceil((4 * innerHeight) / 24))
/** Messages drawn first, before and after the start: enough to fill the window, within limits. */
const BEFORE = 20
const AFTER = 40
/** Messages added above or below at a time, which are drawn within one frame. */
const STEP = 8
/** With fewer known messages beyond the drawn ones, more are fetched in advance. */
const AHEAD = 40

/** The messages of a feed that a view draws. */
export interface FeedWindow extends Pick<FeedView, 'atNewest' | 'atOldest' | 'older' | 'newer'> {
  /** Incremented when the feed changes. */
  version: Signal<number>
  /** The first and the last ID that may be drawn. No end includes future messages. */
  shown: Signal<{ from: number; to: number }>
  /** Returns the known messages around the drawn ones. */
  shownSpan(): Span | undefined
  ids: ReadonlySignal<readonly number[]>
  /** Shows a page around a place in this span. */
  show(span: Span, at: number | undefined): void
  /** For people who read for hours: cuts off the far end. */
  limit(): void
}

/** A window on a feed, empty at first. `isMixed` says that its messages have headings of their conversations. */
export function feedWindow(session: Session, feed: Feed, isMixed: boolean): FeedWindow {
  const version = signal(0)
  const shown = signal({ from: 0, to: -1 })
  const shownSpan = (): Span | undefined => {
    const { from, to } = shown.value
    if (to < from) return undefined
    return feed.spans.find((one) => isIn(one, from) || isIn(one, Math.min(to, Number.MAX_SAFE_INTEGER)))
  }
  const span = computed(() => {
    void version.value
    return shownSpan()
  })
  const ids = computed(() => {
    const { from, to } = shown.value
    return span.value?.ids.filter((id) => from <= id && id <= to) ?? []
  })
  let wasAtNewest = false
  const atNewest = computed(() => {
    // It stays unchanged until the messages are known again.
    if (span.value)
      wasAtNewest = span.value.to === Number.POSITIVE_INFINITY && shown.value.to >= (span.value.ids.at(-1) ?? 0)
    return wasAtNewest
  })
  const atOldest = computed(() => span.value?.from === 0 && shown.value.from <= (span.value.ids[0] ?? 0))
  const countOf = (some: readonly number[]) => countToFill(session, some, isMixed)

  function show({ ids: all, to }: Span, at: number | undefined): void {
    const found = at === undefined ? -1 : all.findIndex((id) => id >= at)
    const middle = found === -1 ? all.length : found
    const first = all[middle - countOf(all.slice(Math.max(0, middle - BEFORE), middle).reverse())] ?? 0
    const last = all[middle + countOf(all.slice(middle, middle + AFTER))]
    shown.value = { from: first, to: last ?? (to === Number.POSITIVE_INFINITY ? to : (all.at(-1) ?? first)) }
  }

  function limit(): void {
    if (shown.value.to === Number.POSITIVE_INFINITY && ids.value.length > MOST + STEP) {
      shown.value = { from: ids.value.at(-MOST)!, to: shown.value.to }
    }
  }

  let coming: Promise<unknown> | undefined

  /** Fetches more when little is left, and waits only if nothing is. */
  async function fetchAhead(left: readonly number[], isAll: boolean, window: Window): Promise<void> {
    if (left.length >= AHEAD || isAll) return
    coming ??= feed.load(window).finally(() => {
      coming = undefined
    })
    if (left.length === 0) await coming
    // A failed fetch is repeated when the messages are needed.
    else coming.catch(() => {})
  }

  async function older(lastKept: () => number | undefined): Promise<void> {
    const asked = shown.value
    const { from, to } = asked
    const before = () => span.value?.ids.filter((id) => id < from) ?? []
    const known = before()
    await fetchAhead(known, span.value?.from === 0, { anchor: known[0] ?? from, before: PAGE, after: 0 })
    // The reader may have gone to the newest message since.
    if (shown.value !== asked) return
    const first = before().at(-STEP) ?? before()[0]
    if (first === undefined) return
    const last = lastKept() ?? to
    // If nothing is cut off, future messages are still part of it.
    shown.value = { from: first, to: span.value?.ids.some((id) => last < id && id <= to) ? last : to }
  }
  async function newer(firstKept: () => number | undefined): Promise<void> {
    const asked = shown.value
    const { from, to } = asked
    const after = () => span.value?.ids.filter((id) => id > to) ?? []
    const known = after()
    const isAll = span.value?.to === Number.POSITIVE_INFINITY
    await fetchAhead(known, isAll, { anchor: known.at(-1) ?? to, before: 0, after: PAGE })
    const current = span.value
    if (!current || shown.value !== asked) return
    const last = after()[STEP - 1]
    const until = last ?? (current.to === Number.POSITIVE_INFINITY ? current.to : (current.ids.at(-1) ?? to))
    shown.value = { from: Math.max(from, firstKept() ?? from), to: until }
  }

  return { version, shown, shownSpan, ids, atNewest, atOldest, show, limit, older, newer }
}
