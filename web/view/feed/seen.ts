import { readMarks } from '../../model/reading/read-marks.ts'
import type { Session } from '../../model/state/session.ts'

/** Values of the setting: in any view, in conversations only, never. */
const [ALWAYS, CONVERSATIONS] = [1, 2]
/** On the screen this long, in a page that has the focus, a message counts as seen. */
const LOOKED_AT_MS = 400

/** Marks as read what is seen in this feed. Returns a function that ends it. */
export function observeSeen(scroller: HTMLElement, session: Session, isConversation: boolean): () => void {
  const inSight = new Map<number, number>()
  const policy = session.state.user_settings.web_mark_read_on_scroll_policy
  const marks = policy === ALWAYS || (policy === CONVERSATIONS && isConversation)
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = Number(target.id.replace('message-', ''))
        if (isIntersecting) inSight.set(id, inSight.get(id) ?? performance.now())
        else inSight.delete(id)
      }
    },
    // A message counts when its end is in sight, however long it is.
    { root: scroller, threshold: [0, 0.5, 1] },
  )
  const observed = new WeakSet<Element>()
  const look = () => {
    for (const element of scroller.querySelectorAll('article[data-unread]')) {
      if (observed.has(element)) continue
      observed.add(element)
      sight.observe(element)
    }
    if (!document.hasFocus() || document.visibilityState !== 'visible' || !marks) return
    const now = performance.now()
    readMarks(session).seen([...inSight].flatMap(([id, since]) => (now - since >= LOOKED_AT_MS ? [id] : [])))
  }
  const timer = setInterval(look, LOOKED_AT_MS)
  return () => {
    clearInterval(timer)
    sight.disconnect()
  }
}
