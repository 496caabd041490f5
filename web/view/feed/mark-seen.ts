import { readMarks } from '../../model/reading/read-marks.ts'
import type { Session } from '../../model/state/session.ts'

/** Values of the setting: in any view, in conversations only, never. */
const [ALWAYS, CONVERSATIONS] = [1, 2]
/** A message counts as seen after its end has been on the screen for this long while the page has the focus. */
const LOOKED_AT_MS = 400
const LOOK_EACH_MS = 200

/** Marks visible messages of this feed as read. Returns a function that stops it. */
export function markSeenMessages(scroller: HTMLElement, session: Session, isConversation: boolean): () => void {
  const inSight = new Set<Element>()
  /** Since when the ends of messages are in sight. */
  const ended = new Map<Element, number>()
  const policy = session.state.user_settings.web_mark_read_on_scroll_policy
  const marks = policy === ALWAYS || (policy === CONVERSATIONS && isConversation)
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inSight.add(target)
        else inSight.delete(target)
      }
    },
    { root: scroller },
  )
  const observed = new WeakSet<Element>()
  const look = () => {
    for (const element of scroller.querySelectorAll('article[data-unread]')) {
      if (observed.has(element)) continue
      observed.add(element)
      sight.observe(element)
    }
    const isLookedAt = marks && document.hasFocus() && document.visibilityState === 'visible'
    const now = performance.now()
    const { bottom } = scroller.getBoundingClientRect()
    const ids: number[] = []
    // The beginning of a long message is not all of it.
    const isAtEnd = (element: Element) => element.getBoundingClientRect().bottom <= bottom + 1
    for (const element of ended.keys()) if (!inSight.has(element)) ended.delete(element)
    for (const element of inSight) {
      if (!isLookedAt || !isAtEnd(element)) ended.delete(element)
      else if (!ended.has(element)) ended.set(element, now)
      else if (now - ended.get(element)! >= LOOKED_AT_MS) ids.push(Number(element.id.replace('message-', '')))
    }
    readMarks(session).seen(ids)
  }
  const timer = setInterval(look, LOOK_EACH_MS)
  return () => {
    clearInterval(timer)
    sight.disconnect()
  }
}
