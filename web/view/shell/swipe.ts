import { go, home, place } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { layoutOf } from '../parts/layout.ts'

/** The minimum distance of a swipe, and the maximum vertical one. */
const FAR_PX = 80
const STRAIGHT_PX = 50
/** Browsers handle swipes from the edge themselves. */
const EDGE_PX = 24
const SLOW_MS = 600

/**
 * A swipe to the right on a phone (to the left in right-to-left languages) goes back: out of an open list, or to the
 * previous view. Returns a function that stops this.
 */
export function followSwipes(session: Session): () => void {
  let start: { x: number; y: number; at: number } | undefined
  const onStart = (event: TouchEvent) => {
    const [touch, second] = event.touches
    const isOwn = touch && !second && fromEdge(touch.clientX) > EDGE_PX && !scrollsSideways(event.target as Element)
    start = isOwn ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp } : undefined
  }
  const onEnd = (event: TouchEvent) => {
    const [touch] = event.changedTouches
    if (!start || !touch || event.timeStamp - start.at > SLOW_MS) return
    const far = (touch.clientX - start.x) * (document.documentElement.dir === 'rtl' ? -1 : 1)
    const isSwipe = far > FAR_PX && Math.abs(touch.clientY - start.y) < STRAIGHT_PX
    if (isSwipe) goBack(session)
  }
  document.addEventListener('touchstart', onStart, { passive: true })
  document.addEventListener('touchend', onEnd, { passive: true })
  return () => {
    document.removeEventListener('touchstart', onStart)
    document.removeEventListener('touchend', onEnd)
  }
}

const fromEdge = (x: number): number => Math.min(x, innerWidth - x)

function goBack(session: Session): void {
  const layout = layoutOf(session)
  if (layout.drawer.peek()) layout.closeDrawer()
  else if (document.querySelector('dialog[open]')) return
  else if (canGoBack() && place.peek().view !== 'inbox') history.back()
  else go(home.peek())
}

/** Not to another site's page, if the browser can tell. */
const canGoBack = (): boolean =>
  (globalThis as { navigation?: { canGoBack: boolean } }).navigation?.canGoBack ?? history.length > 1

/** The same gesture scrolls code and tables, and selects text in fields. */
function scrollsSideways(from: Element): boolean {
  for (let element: Element | null = from; element; element = element.parentElement) {
    if (element.matches('input, textarea, [role=separator]')) return true
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX))
      return true
  }
  return false
}
