import type { FeedView } from '../../model/reading/feed-view.ts'
import { placeKeeper } from '../../model/state/route.ts'

export interface Place {
  /** Restores the position of the message being read after the rows around it have changed. */
  restore(): void
  toBottom(): void
  end(): void
}

/** Positions closer to the bottom than this count as the bottom, where the view follows new messages. */
const NEAR_BOTTOM_PX = 40
/** The place is kept in the browser's history when nothing has scrolled for so long. */
const QUIET_MS = 150
/** How far below the top the line above new messages stays. */
const LINE_GAP_PX = 8
/** More is fetched when an end is nearer than this many heights of the view. */
const AHEAD = 1.5
/**
 * Rows farther away than this many heights, at the other end, are no longer drawn, because every row makes each frame
 * slower.
 */
const BEHIND = 2.5

/**
 * Keeps the reading place of a scrolling feed. Between two scrolls, the first visible line stays at the same pixel,
 * whatever changes above it. At the bottom, the feed stays at the bottom.
 */
export function keepPlace(
  scroller: HTMLElement,
  feed: FeedView,
  { onMove }: { onMove(atBottom: boolean): void },
): Place {
  let anchor: { element: Element; top: number } | undefined
  let atBottom = true
  let notedTop = 0
  let begun: { at: number | undefined } | undefined
  let quiet: ReturnType<typeof setTimeout> | undefined
  /** Keeps the last noted position until then. */
  let keepNoted: (() => void) | undefined
  const keep = placeKeeper()
  const content = scroller.firstElementChild!
  const bottomGap = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop

  /** The first message that ends below a position in the window, found by binary search because rows are in order. */
  function messageAt(y: number): { element: Element | undefined; id: number | undefined } {
    const lines = content.getElementsByTagName('article')
    let low = 0
    let high = lines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (lines[middle]!.getBoundingClientRect().bottom <= y) low = middle + 1
      else high = middle
    }
    const element = lines[low]
    const id = Number(element?.id.replace('message-', ''))
    return { element, id: Number.isInteger(id) ? id : undefined }
  }

  /** Notes the first message in sight. */
  function note(): void {
    atBottom = feed.atNewest.peek() && bottomGap() < NEAR_BOTTOM_PX
    notedTop = scroller.scrollTop
    const { top } = scroller.getBoundingClientRect()
    const { element, id } = messageAt(top + 1)
    anchor = element && { element, top: element.getBoundingClientRect().top }
    feed.readAt(atBottom ? undefined : id)
    onMove(atBottom)
    const place = atBottom || !anchor || id === undefined ? undefined : { id, top: anchor.top - top }
    keepNoted = () => {
      keepNoted = undefined
      keep(place)
    }
    clearTimeout(quiet)
    quiet = setTimeout(keepNoted, QUIET_MS)
  }

  /**
   * Follows new messages. If nobody is looking at the page, it stops at the line above the messages that arrived since.
   */
  function follow(): void {
    const line = document.hasFocus() ? null : content.querySelector('.unread-line')
    const above = line ? line.getBoundingClientRect().top - scroller.getBoundingClientRect().top : -1
    if (above >= 0) scroller.scrollTop += Math.max(0, Math.min(above - LINE_GAP_PX, bottomGap()))
    else scroller.scrollTop = scroller.scrollHeight
  }

  function fetchAhead(): void {
    const ahead = scroller.clientHeight * AHEAD
    if (scroller.scrollTop < ahead && !feed.atOldest.peek()) void feed.older(() => cachedAt(1 + BEHIND))
    else if (bottomGap() < ahead && !feed.atNewest.peek()) void feed.newer(() => cachedAt(-BEHIND))
  }

  /**
   * The message this many heights below the top; none while text is selected, because the selection may begin in any
   * message.
   */
  function cachedAt(heights: number): number | undefined {
    if (getSelection()?.isCollapsed === false) return undefined
    return messageAt(scroller.getBoundingClientRect().top + scroller.clientHeight * heights).id
  }

  function restore(): void {
    if (!begun || begun.at !== feed.start.peek()?.id) {
      begin()
      return
    }
    // A scroll in this same frame isn't noted yet. Content that became shorter also moves the view to the bottom.
    const scrolled = bottomGap() > 1 ? scroller.scrollTop - notedTop : 0
    if (atBottom && feed.atNewest.peek() && scrolled >= 0) follow()
    else if (anchor?.element.isConnected) {
      const moved = anchor.element.getBoundingClientRect().top - anchor.top + scrolled
      if (moved !== 0) scroller.scrollTop += moved
    }
    note()
    requestAnimationFrame(fetchAhead)
  }

  /**
   * Opens where it was left; otherwise at the first unread message or the one in the address, a third from the top.
   */
  function begin(): void {
    const start = feed.start.peek()
    begun = { at: start?.id }
    const element = start && document.getElementById(`message-${start.id}`)
    if (element) {
      const offset = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      scroller.scrollTop += offset - (start.top ?? scroller.clientHeight / 3)
    } else scroller.scrollTop = scroller.scrollHeight
    note()
    requestAnimationFrame(fetchAhead)
  }

  let scheduled = false
  const onScroll = () => {
    if (scheduled) return
    scheduled = true
    requestAnimationFrame(() => {
      scheduled = false
      note()
      fetchAhead()
    })
  }
  scroller.addEventListener('scroll', onScroll, { passive: true })
  const sizes = new ResizeObserver(restore)
  sizes.observe(content)
  sizes.observe(scroller)
  return {
    restore,
    toBottom() {
      scroller.scrollTop = scroller.scrollHeight
      note()
    },
    end() {
      clearTimeout(quiet)
      keepNoted?.()
      scroller.removeEventListener('scroll', onScroll)
      sizes.disconnect()
    },
  }
}
