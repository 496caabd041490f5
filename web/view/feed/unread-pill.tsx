import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { firstUnreadIn } from '../../model/reading/unread.ts'
import { goToNarrow } from '../../model/state/route.ts'
import { texts } from '../../texts/texts.ts'
import { messageElement } from '../parts/current-feed.ts'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'

interface UnreadPillProps {
  feed: FeedView
  scroller: RefObject<HTMLElement | null>
}

/** Jumps to the first unread message while it is above what the reader sees. */
export function UnreadPill({ feed, scroller }: UnreadPillProps) {
  const session = useSession()
  const above = useSignal(false)
  const { id } = firstUnreadIn(session, feed.narrow)
  const rows = feed.rows.value
  useEffect(() => {
    const frame = scroller.current!
    let request = 0
    const look = () => {
      request = 0
      above.value = id !== undefined && isAbove(frame, id)
    }
    const soon = () => {
      request ||= requestAnimationFrame(look)
    }
    // The rows of this render have their place in the next frame.
    soon()
    frame.addEventListener('scroll', soon, { passive: true })
    return () => {
      cancelAnimationFrame(request)
      frame.removeEventListener('scroll', soon)
    }
  }, [id, rows, scroller, above])
  if (id === undefined || !above.value) return null
  const jump = () => {
    const element = messageElement(id)
    if (!element) return goToNarrow(feed.narrow, id)
    element.scrollIntoView({ block: 'center' })
    element.focus({ preventScroll: true })
  }
  return (
    <button type="button" class="to-unread" onClick={jump}>
      <Icon name="down" /> {texts.places.unread}
    </button>
  )
}

/** Whether a message is above the visible part of a feed, or above its first message. */
function isAbove(frame: HTMLElement, id: number): boolean {
  const element = messageElement(id)
  if (element) return element.getBoundingClientRect().bottom < frame.getBoundingClientRect().top
  const first = frame.querySelector('article[id^="message-"]')
  return first !== null && id < Number(first.id.replace('message-', ''))
}
