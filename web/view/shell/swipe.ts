import { useEffect } from 'preact/hooks'
import { go, home, place } from '../../model/state/route.ts'
import { layout } from './layout.ts'

/** So far a finger has to go, and so little up or down. */
const FAR_PX = 80
const STRAIGHT_PX = 50
/** Browsers go back by themselves for what begins at the edge. */
const EDGE_PX = 24
const SLOW_MS = 600

/** On a phone a swipe to the right (to the left, where lines begin at the right) goes back: out of an open list, else to the view before. */
export function useSwipeBack(): void {
  useEffect(() => {
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
      if (isSwipe) goBack()
    }
    document.addEventListener('touchstart', onStart, { passive: true })
    document.addEventListener('touchend', onEnd, { passive: true })
    return () => {
      document.removeEventListener('touchstart', onStart)
      document.removeEventListener('touchend', onEnd)
    }
  }, [])
}

const fromEdge = (x: number): number => Math.min(x, innerWidth - x)

function goBack(): void {
  if (layout.drawer.peek()) layout.closeDrawer()
  else if (document.querySelector('dialog[open]')) return
  else if (canGoBack() && place.peek().view !== 'inbox') history.back()
  else go(home.peek())
}

/** Not to the page of somebody else, where the browser tells them apart. */
const canGoBack = (): boolean =>
  (globalThis as { navigation?: { canGoBack: boolean } }).navigation?.canGoBack ?? history.length > 1

/** Code and tables are moved by the same gesture, and text is marked in boxes. */
function scrollsSideways(from: Element): boolean {
  for (let element: Element | null = from; element; element = element.parentElement) {
    if (element.matches('input, textarea, [role=separator]')) return true
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX))
      return true
  }
  return false
}
