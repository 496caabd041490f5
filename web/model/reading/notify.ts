import { inLanguage } from '../state/language.ts'
import type { Session } from '../state/session.ts'

const ofInterest: readonly string[] = ['message', 'update_message_flags']

let notifyOf: typeof import('./notifications.ts').notifyOf | undefined

/**
 * Tells the reader of what concerns them while they look elsewhere. The note goes by way of the worker: it knows whether any
 * tab is looked at and what other tabs have shown, and phones have no other way. Its script comes with the first event that it
 * is about. Returns a function that ends it.
 */
export const notifyOnDesktop = (session: Session): (() => void) =>
  session.live.onChange((change) => {
    if (change.type !== 'event' || !ofInterest.includes(change.event.type)) return
    const { event } = change
    // Synchronously if possible, because the next event may change a setting for later ones.
    if (notifyOf) return notifyOf(session, event)
    const tell = (part: typeof import('./notifications.ts')) => {
      notifyOf = part.notifyOf
      notifyOf(session, event)
    }
    // A page that can't load it has no connection, and so no events.
    inLanguage(() => import('./notifications.ts'))
      .then(tell)
      .catch(() => {})
  })
