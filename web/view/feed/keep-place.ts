import type { FeedView } from '../../model/reading/feed-view.ts'

export interface Place {
  /** Puts what was being read back where it was, after the lines around it have changed. */
  restore(): void
  toBottom(): void
  end(): void
}

/** Nearer to the bottom than this counts as at the bottom, where new messages are followed. */
const NEAR_BOTTOM_PX = 40
/** More is fetched when an end is nearer than this many heights of the view. */
const AHEAD = 1.5

/**
 * Keeps the place of a feed that scrolls. Between two scrolls the first line in sight keeps its distance to the top to the
 * pixel, whatever is put above it or changes its height; at the bottom the bottom is kept.
 */
export function keepPlace(
  scroller: HTMLElement,
  feed: FeedView,
  { onMove }: { onMove(atBottom: boolean): void },
): Place {
  let anchor: { element: Element; top: number } | undefined
  let atBottom = true
  let begun = false
  const content = scroller.firstElementChild!
  const bottomGap = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop

  /** Notes the first message in sight; found by halving, as lines stand in order. */
  function note(): void {
    atBottom = feed.atNewest.peek() && bottomGap() < NEAR_BOTTOM_PX
    const top = scroller.getBoundingClientRect().top
    const lines = content.getElementsByTagName('article')
    let low = 0
    let high = lines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (lines[middle]!.getBoundingClientRect().bottom <= top + 1) low = middle + 1
      else high = middle
    }
    const element = lines[low]
    anchor = element && { element, top: element.getBoundingClientRect().top }
    const id = Number(element?.id.replace('message-', ''))
    feed.readAt(Number.isInteger(id) && !atBottom ? id : undefined)
    onMove(atBottom)
  }

  function fetchAhead(): void {
    const ahead = scroller.clientHeight * AHEAD
    if (scroller.scrollTop < ahead && !feed.atOldest.peek()) void feed.older()
    else if (bottomGap() < ahead && !feed.atNewest.peek()) void feed.newer()
  }

  function restore(): void {
    if (!begun) {
      begin()
      return
    }
    if (atBottom && feed.atNewest.peek()) scroller.scrollTop = scroller.scrollHeight
    else if (anchor?.element.isConnected) {
      const moved = anchor.element.getBoundingClientRect().top - anchor.top
      if (moved !== 0) scroller.scrollTop += moved
    }
    note()
    requestAnimationFrame(fetchAhead)
  }

  /** Opens at the first unread message, a third from the top, or at the message that the address names. */
  function begin(): void {
    begun = true
    const start = feed.start.peek()
    const element = start === undefined ? null : document.getElementById(`message-${start}`)
    if (element) {
      const offset = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      scroller.scrollTop += offset - scroller.clientHeight / 3
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
      scroller.removeEventListener('scroll', onScroll)
      sizes.disconnect()
    },
  }
}
