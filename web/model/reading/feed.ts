import { batch, computed, signal } from '@preact/signals'
import { type Feed, isIn, type Message, type Narrow, type Span, type Window } from '../../../src/client/index.ts'
import type { ReadPlace } from '../state/route.ts'
import { isShown, type Session, showFeed } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import type { FeedView } from './feed-view.ts'
import { countToFill, firstWindow, PAGE, takeAnswered } from './first-messages.ts'
import { outgoingRows } from './outgoing.ts'
import { type Row, rowsOf } from './rows.ts'
import { firstUnreadIn } from './unread.ts'

/** Messages drawn at most, for people who read for hours. */
const MOST = Math.max(120, Math.ceil((4 * innerHeight) / 24))
/** Messages drawn first, before and after the start: enough to fill the window, within limits. */
const BEFORE = 20
const AFTER = 40
/** Messages added above or below at a time, which are drawn within one frame. */
const STEP = 8
/** With fewer known messages beyond the drawn ones, more are fetched in advance. */
const AHEAD = 40

/** Opens a narrow: where it was left, near a message, or at the first unread one. */
export function openFeed(session: Session, narrow: Narrow, near: number | undefined, left?: ReadPlace): FeedView {
  const { messages } = session
  const feed = messages.feed(narrow)
  const own = session.state.user_id
  const conversation = conversationIn(narrow, own)
  const version = signal(0)
  const shown = signal({ from: 0, to: -1 })
  const status = signal<'loading' | 'ready' | 'failed'>('loading')
  /** After registering again, the old messages are shown until they are fetched. */
  const renewing = signal(false)
  const error = signal('')
  const start = signal<{ id: number; top?: number } | undefined>(undefined)
  const unreadFrom = signal<number | undefined>(undefined)
  const newestRequests = signal(0)
  let place: number | undefined
  /** The reading place when the view started. */
  let begunAt: { place: number | undefined } | undefined
  let rowsBefore: ReadonlyMap<string, Row> = new Map()
  let fetching: Promise<void> | undefined
  let coming: Promise<unknown> | undefined

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
  const rows = computed((): readonly Row[] => {
    void version.value
    const known = ids.value.map((id) => messages.get(id)).filter((message): message is Message => message !== undefined)
    if (known.length === 0 && renewing.value) return [...rowsBefore.values()]
    const options = { own, mixed: conversation === undefined, unreadFrom: unreadFrom.value }
    const lines = rowsOf(known, options, rowsBefore)
    rowsBefore = new Map(lines.map((row) => [row.key, row]))
    return atNewest.value ? [...lines, ...outgoingRows(session, conversation)] : lines
  })

  const countOf = (some: readonly number[]) => countToFill(session, some, conversation === undefined)

  /** Shows a page around a place in this span. */
  function show({ ids: all, to }: Span, at: number | undefined): void {
    const found = at === undefined ? -1 : all.findIndex((id) => id >= at)
    const middle = found === -1 ? all.length : found
    const first = all[middle - countOf(all.slice(Math.max(0, middle - BEFORE), middle).reverse())] ?? 0
    const last = all[middle + countOf(all.slice(middle, middle + AFTER))]
    shown.value = { from: first, to: last ?? (to === Number.POSITIVE_INFINITY ? to : (all.at(-1) ?? first)) }
  }

  async function open(anchor: number | undefined): Promise<void> {
    // For most narrows, the unread messages are known before messages are fetched.
    const unread = firstUnreadIn(session, narrow)
    const wanted = anchor ?? unread.id
    const known = findSpan(feed, wanted)
    const seemsUnread = unread.isKnown ? unread.id : known?.ids.find((id) => isUnread(messages.get(id)))
    if (known) begin(known, wanted ?? seemsUnread, seemsUnread)
    const isSure = (wanted !== undefined || unread.isKnown) && !feed.isKept
    if (known && isSure) return
    const window = firstWindow(wanted, unread)
    const loaded = takeAnswered(feed, window) ?? (await feed.load(window))
    const isThere = loaded.span.ids.includes(loaded.anchor)
    const firstUnread = window.anchor === 'first_unread' && isThere ? loaded.anchor : unread.id
    // The shown messages stay, unless the view should have started elsewhere and the reader hasn't scrolled.
    const hasMoved = begunAt !== undefined && begunAt.place !== place
    if (shownSpan() && (firstUnread === seemsUnread || hasMoved)) return
    unreadFrom.value = firstUnread
    begin(loaded.span, wanted ?? firstUnread, firstUnread)
  }
  function begin(known: Span, at: number | undefined, unread: number | undefined): void {
    begunAt = undefined
    batch(() => {
      unreadFrom.value ??= unread
      start.value = at === undefined ? undefined : at === left?.id ? left : { id: at }
      show(known, at)
      status.value = 'ready'
    })
  }

  /**
   * After a new registration, no span is known to be complete. Readers at the newest message stay there, even after
   * hours.
   */
  async function fetchAgain(): Promise<void> {
    renewing.value = true
    const at = place ?? [...rowsBefore.values()].findLast((row) => row.kind === 'message')?.message.id
    await fetching
    await guarded(async () => {
      // The current fetch may have brought it.
      if (shownSpan()) return
      const { span: found } = await feed.load({ anchor: at ?? 'newest', before: PAGE, after: PAGE })
      show(found, at)
    })
    renewing.value = false
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    if (fetching) return fetching
    fetching = work().then(
      () => {
        error.value = ''
        status.value = 'ready'
      },
      (failure: unknown) => {
        error.value = failure instanceof Error ? failure.message : String(failure)
        if (ids.value.length === 0) status.value = 'failed'
      },
    )
    await fetching
    fetching = undefined
  }

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

  // One response may bring many messages, so the rows are computed once, after all of them.
  let isOld = false
  const renewSoon = () => {
    if (isOld) return
    isOld = true
    queueMicrotask(renew)
  }
  function renew(): void {
    isOld = false
    const newest = ids.peek().at(-1) ?? 0
    version.value += 1
    if (!document.hasFocus() && atNewest.peek()) markUnseen(newest)
    // For people who read for hours: cuts off the far end.
    if (shown.value.to === Number.POSITIVE_INFINITY && ids.value.length > MOST + STEP) {
      shown.value = { from: ids.value.at(-MOST)!, to: shown.value.to }
    }
  }

  /** While the page is hidden, new messages go below a line. A line that wasn't read yet stays where it is. */
  function markUnseen(after: number): void {
    const isUnread = (id: number) => messages.get(id)?.flags.includes('read') === false
    if (unreadFrom.peek() !== undefined && isUnread(unreadFrom.peek()!)) return
    const first = ids.peek().find((id) => id > after && isUnread(id))
    if (first !== undefined) unreadFrom.value = first
  }

  const endShown = showFeed(feed)
  const end = messages.onChange(({ messages: changed, feeds }) => {
    const lost = feeds.has(feed) && feed.spans.length === 0 && shown.value.to >= shown.value.from
    if (lost && !renewing.value) void fetchAgain()
    if (feeds.has(feed) || ids.value.some((id) => changed.has(id))) renewSoon()
  })
  const reload = () => guarded(() => open(place ?? left?.id ?? near))
  void reload()
  const endConnection = session.connection.subscribe((connection) => {
    if (connection.status === 'online' && status.peek() === 'failed') void reload()
  })

  /** New messages in a stream without a subscription cause no events, so they are fetched the next time. */
  async function forgetOutside(): Promise<void> {
    await fetching
    const [first] = narrow
    const isOutside =
      first?.operator === 'channel' && !session.state.subscriptions.some((one) => one.stream_id === first.operand)
    if (isOutside && !isShown(feed)) feed.forget()
  }

  return {
    narrow,
    conversation,
    rows,
    status,
    error,
    atOldest,
    atNewest,
    start,
    newestRequests,
    older: (lastKept) => guarded(() => older(lastKept)),
    newer: (firstKept) => guarded(() => newer(firstKept)),
    async toNewest() {
      const showNewest = async () =>
        show((await feed.load({ anchor: 'newest', before: PAGE, after: 0 })).span, undefined)
      const known = findSpan(feed, undefined)
      if (!atNewest.value && known) show(known, undefined)
      else if (!atNewest.value) {
        // The current fetch is for another place than the reader wants now.
        while (fetching) await fetching
        await guarded(showNewest)
      }
      if (atNewest.value) newestRequests.value += 1
    },
    reload,
    place: () => place,
    readAt(id) {
      place = id
      begunAt ??= { place }
      feed.readAt(id)
    },
    close() {
      end()
      endShown()
      endConnection()
      void forgetOutside()
    },
  }
}

const isUnread = (message: Message | undefined): boolean => message?.flags.includes('read') === false

/** Returns the known range around a message, or at the newest one. */
const findSpan = (feed: Feed, at: number | undefined): Span | undefined =>
  at === undefined
    ? feed.spans.find((one) => one.to === Number.POSITIVE_INFINITY)
    : feed.spans.find((one) => one.ids.includes(at))
