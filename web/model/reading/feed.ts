import { batch, computed, signal } from '@preact/signals'
import type { Feed, Message, Narrow, Span } from '../../../src/client/index.ts'
import type { ReadPlace } from '../state/route.ts'
import type { Session } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import type { FeedView } from './feed-view.ts'
import { feedWindow } from './feed-window.ts'
import { firstWindow, PAGE, takeAnswered } from './first-messages.ts'
import { outgoingRows } from './outgoing.ts'
import { type Row, rowsOf } from './rows.ts'
import { firstUnreadIn } from './unread.ts'

/** Opens a narrow: where it was left, near a message, or at the first unread one. */
export function openFeed(session: Session, narrow: Narrow, near: number | undefined, left?: ReadPlace): FeedView {
  const { messages } = session
  const feed = messages.feed(narrow)
  const own = session.state.user_id
  const conversation = conversationIn(narrow, own)
  const status = signal<'loading' | 'ready' | 'failed'>('loading')
  const isMixed = conversation === undefined
  const window = feedWindow(session, feed, isMixed)
  const { version, shown, ids, atNewest, atOldest, shownSpan, show, limit } = window
  /** After registering again, the old messages are shown until they are fetched. */
  const renewing = signal(false)
  const error = signal<unknown>(undefined)
  const start = signal<{ id: number; top?: number } | undefined>(undefined)
  const unreadFrom = signal<number | undefined>(undefined)
  const newestRequests = signal(0)
  let place: number | undefined
  /** The reading place when the view started. */
  let begunAt: { place: number | undefined } | undefined
  let rowsBefore: ReadonlyMap<string, Row> = new Map()
  let fetching: Promise<void> | undefined

  const rows = computed((): readonly Row[] => {
    void version.value
    const known = ids.value.map((id) => messages.get(id)).filter((message): message is Message => message !== undefined)
    if (known.length === 0 && renewing.value) return [...rowsBefore.values()]
    const options = { own, mixed: isMixed, unreadFrom: unreadFrom.value }
    const lines = rowsOf(known, options, rowsBefore)
    rowsBefore = new Map(lines.map((row) => [row.key, row]))
    return atNewest.value ? [...lines, ...outgoingRows(session, conversation)] : lines
  })

  async function open(anchor: number | undefined): Promise<void> {
    // For most narrows, the unread messages are known before messages are fetched.
    const unread = firstUnreadIn(session, narrow)
    const wanted = anchor ?? unread.id
    const known = findSpan(feed, wanted)
    const seemsUnread = unread.isKnown ? unread.id : known?.ids.find((id) => isUnread(messages.get(id)))
    if (known) begin(known, wanted ?? seemsUnread, seemsUnread)
    const isSure = (wanted !== undefined || unread.isKnown) && !feed.isKept
    if (known && isSure) return
    const first = firstWindow(wanted, unread)
    const loaded = takeAnswered(session, feed, first) ?? (await feed.load(first))
    const isThere = loaded.span.ids.includes(loaded.anchor)
    const firstUnread = first.anchor === 'first_unread' && isThere ? loaded.anchor : unread.id
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
    const last = [...rowsBefore.values()].findLast((row) => row.kind === 'message')?.message.id
    const at = place ?? last
    await fetching
    await guarded(async () => {
      // The current fetch may have brought it.
      if (shownSpan()) return
      const { span: found } = await feed.load({ anchor: at ?? 'newest', before: PAGE, after: PAGE })
      const { from, to } = shown.peek()
      const isAround = found.from <= from && found.to >= to
      // Rows that are drawn stay, unless there is more to read below them.
      if (!isAround || (to === Number.POSITIVE_INFINITY && found.ids.at(-1)! > (last ?? 0))) show(found, at)
    })
    renewing.value = false
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    if (fetching) return fetching
    fetching = work().then(
      () => {
        error.value = undefined
        status.value = 'ready'
      },
      (failure: unknown) => {
        error.value = failure
        if (ids.value.length === 0) status.value = 'failed'
      },
    )
    await fetching
    fetching = undefined
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
    limit()
  }

  /** While the page is hidden, new messages go below a line. A line that wasn't read yet stays where it is. */
  function markUnseen(after: number): void {
    const isUnread = (id: number) => messages.get(id)?.flags.includes('read') === false
    if (unreadFrom.peek() !== undefined && isUnread(unreadFrom.peek()!)) return
    const first = ids.peek().find((id) => id > after && isUnread(id))
    if (first !== undefined) unreadFrom.value = first
  }

  const endShown = session.showFeed(feed)
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
    if (isOutside && !session.isShown(feed)) feed.forget()
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
    older: (lastKept) => guarded(() => window.older(lastKept)),
    newer: (firstKept) => guarded(() => window.newer(firstKept)),
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
