import { batch, computed, signal } from '@preact/signals'
import { type Feed, isIn, type Message, type Narrow, type Span } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import type { FeedView } from './feed-view.ts'
import { outgoingRows } from './outgoing.ts'
import { type Row, rowsOf } from './rows.ts'
import { unreadIn } from './unread.ts'

/** How many messages are fetched at a time, and how many lines a page holds at most. */
const PAGE = 60
const MOST = 400

export function openFeed(session: Session, narrow: Narrow, near: number | undefined): FeedView {
  const { messages } = session
  const feed = messages.feed(narrow)
  const own = session.state.user_id
  const conversation = conversationIn(narrow, own)
  const version = signal(0)
  const shown = signal({ from: 0, to: -1 })
  const status = signal<'loading' | 'ready' | 'failed'>('loading')
  const error = signal('')
  const start = signal<number | undefined>(undefined)
  const unreadFrom = signal<number | undefined>(undefined)
  let place: number | undefined
  let rowsBefore: ReadonlyMap<string, Row> = new Map()
  let fetching: Promise<void> | undefined

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
    // The connection began again: what was there stays until it has been fetched.
    if (known.length === 0 && status.value === 'loading' && rowsBefore.size > 0) return [...rowsBefore.values()]
    const options = { own, mixed: conversation === undefined, unreadFrom: unreadFrom.value }
    const lines = rowsOf(known, options, rowsBefore)
    rowsBefore = new Map(lines.map((row) => [row.key, row]))
    return atNewest.value ? [...lines, ...outgoingRows(session, conversation)] : lines
  })

  /** Shows a page around a place in this span. */
  function show({ ids: all, to }: Span, at: number | undefined): void {
    const found = at === undefined ? -1 : all.findIndex((id) => id >= at)
    const middle = found === -1 ? all.length : found
    const first = all[Math.max(0, middle - PAGE)] ?? 0
    const last = all[middle + 2 * PAGE]
    shown.value = { from: first, to: last ?? (to === Number.POSITIVE_INFINITY ? to : (all.at(-1) ?? first)) }
  }

  async function open(anchor: number | undefined): Promise<void> {
    // A conversation's unread messages are known before it is fetched.
    const unread = conversation ? unreadIn(session, conversation)[0] : undefined
    const wanted = anchor ?? unread
    const known = wanted !== undefined || conversation ? findSpan(feed, wanted) : undefined
    if (known) {
      begin(known, wanted, unread)
      return
    }
    const where = wanted ?? (conversation ? 'newest' : 'first_unread')
    const loaded = await feed.load({ anchor: where, before: PAGE, after: PAGE })
    const isThere = loaded.span.ids.includes(loaded.anchor)
    const firstUnread = where === 'first_unread' && isThere ? loaded.anchor : unread
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

  async function older(): Promise<void> {
    const { from, to } = shown.value
    const before = () => span.value?.ids.filter((id) => id < from) ?? []
    if (before().length === 0 && span.value && span.value.from > 0) {
      await feed.load({ anchor: from, before: PAGE, after: 0 })
    }
    const first = before().at(-PAGE) ?? before()[0]
    if (first === undefined) return
    const all = span.value?.ids.filter((id) => first <= id && id <= to) ?? []
    shown.value = { from: first, to: all.length > MOST ? all[MOST - 1]! : to }
  }
  async function newer(): Promise<void> {
    const { from, to } = shown.value
    const after = () => span.value?.ids.filter((id) => id > to) ?? []
    if (after().length === 0 && span.value && span.value.to !== Number.POSITIVE_INFINITY) {
      await feed.load({ anchor: to, before: 0, after: PAGE })
    }
    const current = span.value
    if (!current) return
    const last = after()[PAGE - 1]
    const until = last ?? (current.to === Number.POSITIVE_INFINITY ? current.to : (current.ids.at(-1) ?? to))
    const all = current.ids.filter((id) => from <= id && id <= until)
    shown.value = { from: all.length > MOST ? all.at(-MOST)! : from, to: until }
  }

  const end = messages.onChange(({ messages: changed, feeds }) => {
    const lost = feeds.has(feed) && feed.spans.length === 0 && shown.value.to >= shown.value.from
    if (lost) {
      status.value = 'loading'
      void guarded(async () => {
        const { span: found } = await feed.load({ anchor: place ?? 'newest', before: PAGE, after: PAGE })
        batch(() => {
          show(found, place)
          status.value = 'ready'
        })
      })
    }
    if (feeds.has(feed) || ids.value.some((id) => changed.has(id))) version.value += 1
    // Somebody who reads along for hours: the far end goes.
    if (shown.value.to === Number.POSITIVE_INFINITY && ids.value.length > MOST + PAGE) {
      shown.value = { from: ids.value.at(-MOST)!, to: shown.value.to }
    }
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

/** The stretch that is known around a message, or at the newest one. */
const findSpan = (feed: Feed, at: number | undefined): Span | undefined =>
  at === undefined
    ? feed.spans.find((one) => one.to === Number.POSITIVE_INFINITY)
    : feed.spans.find((one) => one.ids.includes(at))
