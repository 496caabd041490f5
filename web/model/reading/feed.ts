import { batch, computed, signal } from '@preact/signals'
import { type Feed, isIn, type Message, type Narrow, type Span, type Window } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import type { FeedView } from './feed-view.ts'
import { outgoingRows } from './outgoing.ts'
import { type Row, rowsOf } from './rows.ts'
import { firstUnreadIn } from './unread.ts'

/** How many messages are fetched at a time, and how many lines a page holds at most. */
const PAGE = 60
const MOST = 240
/** What is drawn at first: about a screen, before and after the place where it opens. */
const BEFORE = 20
const AFTER = 40
/** Then so many are put above or below at a time: they are drawn within a frame. */
const STEP = 8
/** When fewer than this are known beyond the drawn ones, more are fetched ahead. */
const AHEAD = 40

export function openFeed(session: Session, narrow: Narrow, near: number | undefined): FeedView {
  const { messages } = session
  const feed = messages.feed(narrow)
  const own = session.state.user_id
  const conversation = conversationIn(narrow, own)
  const version = signal(0)
  const shown = signal({ from: 0, to: -1 })
  const status = signal<'loading' | 'ready' | 'failed'>('loading')
  /** The connection began again: what was there is shown until it has been fetched. */
  const renewing = signal(false)
  const error = signal('')
  const start = signal<number | undefined>(undefined)
  const unreadFrom = signal<number | undefined>(undefined)
  let place: number | undefined
  let rowsBefore: ReadonlyMap<string, Row> = new Map()
  let fetching: Promise<void> | undefined
  let coming: Promise<unknown> | undefined

  const span = computed((): Span | undefined => {
    void version.value
    const { from, to } = shown.value
    if (to < from) return undefined
    return feed.spans.find((one) => isIn(one, from) || isIn(one, Math.min(to, Number.MAX_SAFE_INTEGER)))
  })
  const ids = computed(() => {
    const { from, to } = shown.value
    return span.value?.ids.filter((id) => from <= id && id <= to) ?? []
  })
  const atNewest = computed(
    () => span.value?.to === Number.POSITIVE_INFINITY && shown.value.to >= (span.value.ids.at(-1) ?? 0),
  )
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

  /** Shows a page around a place in this span. */
  function show({ ids: all, to }: Span, at: number | undefined): void {
    const found = at === undefined ? -1 : all.findIndex((id) => id >= at)
    const middle = found === -1 ? all.length : found
    const first = all[Math.max(0, middle - BEFORE)] ?? 0
    const last = all[middle + AFTER]
    shown.value = { from: first, to: last ?? (to === Number.POSITIVE_INFINITY ? to : (all.at(-1) ?? first)) }
  }

  async function open(anchor: number | undefined): Promise<void> {
    // What is unread in most narrows is known before their messages are fetched.
    const unread = firstUnreadIn(session, narrow)
    const wanted = anchor ?? unread.id
    const known = wanted !== undefined || unread.isKnown ? findSpan(feed, wanted) : undefined
    if (known) {
      begin(known, wanted, unread.id)
      return
    }
    const window = firstWindow(wanted, unread)
    const loaded = await feed.load(window)
    const isThere = loaded.span.ids.includes(loaded.anchor)
    const firstUnread = window.anchor === 'first_unread' && isThere ? loaded.anchor : unread.id
    begin(loaded.span, wanted ?? firstUnread, firstUnread)
  }
  function begin(known: Span, at: number | undefined, unread: number | undefined): void {
    batch(() => {
      unreadFrom.value ??= unread
      start.value = at
      show(known, at)
      status.value = 'ready'
    })
  }

  /** After a new registration nothing is known to be whole. Who was at the newest message stays there too: hours may have passed. */
  async function fetchAgain(): Promise<void> {
    renewing.value = true
    const at = place ?? [...rowsBefore.values()].findLast((row) => row.kind === 'message')?.message.id
    await fetching
    await guarded(async () => {
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

  /** Fetches more where little is left; waits for it only where nothing is. */
  async function fetchAhead(left: readonly number[], isAll: boolean, window: Window): Promise<void> {
    if (left.length >= AHEAD || isAll) return
    coming ??= feed.load(window).finally(() => {
      coming = undefined
    })
    if (left.length === 0) await coming
    // It is tried again when it is needed.
    else coming.catch(() => {})
  }

  async function older(): Promise<void> {
    const { from, to } = shown.value
    const before = () => span.value?.ids.filter((id) => id < from) ?? []
    const known = before()
    await fetchAhead(known, span.value?.from === 0, { anchor: known[0] ?? from, before: PAGE, after: 0 })
    const first = before().at(-STEP) ?? before()[0]
    if (first === undefined) return
    const all = span.value?.ids.filter((id) => first <= id && id <= to) ?? []
    shown.value = { from: first, to: all.length > MOST ? all[MOST - 1]! : to }
  }
  async function newer(): Promise<void> {
    const { from, to } = shown.value
    const after = () => span.value?.ids.filter((id) => id > to) ?? []
    const known = after()
    const isAll = span.value?.to === Number.POSITIVE_INFINITY
    await fetchAhead(known, isAll, { anchor: known.at(-1) ?? to, before: 0, after: PAGE })
    const current = span.value
    if (!current) return
    const last = after()[STEP - 1]
    const until = last ?? (current.to === Number.POSITIVE_INFINITY ? current.to : (current.ids.at(-1) ?? to))
    const all = current.ids.filter((id) => from <= id && id <= until)
    shown.value = { from: all.length > MOST ? all.at(-MOST)! : from, to: until }
  }

  // One answer may bring many messages: the lines are made again when all of them are known.
  let isOld = false
  const renewSoon = () => {
    if (isOld) return
    isOld = true
    queueMicrotask(renew)
  }
  function renew(): void {
    isOld = false
    version.value += 1
    // Somebody who reads along for hours: the far end goes.
    if (shown.value.to === Number.POSITIVE_INFINITY && ids.value.length > MOST + STEP) {
      shown.value = { from: ids.value.at(-MOST)!, to: shown.value.to }
    }
  }

  const end = messages.onChange(({ messages: changed, feeds }) => {
    const lost = feeds.has(feed) && feed.spans.length === 0 && shown.value.to >= shown.value.from
    if (lost && !renewing.value) void fetchAgain()
    if (feeds.has(feed) || ids.value.some((id) => changed.has(id))) renewSoon()
  })
  void guarded(() => open(near))

  return {
    narrow,
    conversation,
    rows,
    status,
    error,
    atOldest,
    atNewest,
    start,
    older: () => guarded(older),
    newer: () => guarded(newer),
    toNewest: () =>
      guarded(async () => {
        const { span: newest } = await feed.load({ anchor: 'newest', before: PAGE, after: 0 })
        show(newest, undefined)
      }),
    reload: () => guarded(() => open(place ?? near)),
    readAt(id) {
      place = id
      feed.readAt(id)
    },
    close: end,
  }
}

/** What is fetched first: around a message, at the first unread one, or at the newest. */
const firstWindow = (wanted: number | undefined, unread: { isKnown: boolean }): Window => ({
  anchor: wanted ?? (unread.isKnown ? 'newest' : 'first_unread'),
  before: PAGE,
  after: PAGE,
})

/** Asks for the messages of a narrow that is about to be shown, so that they are under way while the page is drawn. */
export function fetchFirst(session: Session, narrow: Narrow, near: number | undefined): void {
  const unread = firstUnreadIn(session, narrow)
  const feed = session.messages.feed(narrow)
  const wanted = near ?? unread.id
  // Without them the view says what went wrong.
  if (feed.spans.length === 0) feed.load(firstWindow(wanted, unread)).catch(() => {})
}

/** The stretch that is known around a message, or at the newest one. */
const findSpan = (feed: Feed, at: number | undefined): Span | undefined =>
  at === undefined
    ? feed.spans.find((one) => one.to === Number.POSITIVE_INFINITY)
    : feed.spans.find((one) => one.ids.includes(at))
