import { goInstead } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { messageElement, select } from '../parts/current-feed.ts'

/** Follows a link to a message where the browser does nothing, because the link is the present address. */
export function jump(session: Session, event: MouseEvent): void {
  const { hash } = event.currentTarget as HTMLAnchorElement
  if (hash !== location.hash) return
  event.preventDefault()
  const id = Number(/\/near\/(\d+)$/.exec(hash)?.[1])
  if (messageElement(id)) select(session, id)
  // The message is too far away to be drawn. This is another address of the same place.
  else goInstead(`${hash}/`)
}
