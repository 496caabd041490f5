import { effect } from '@preact/signals'
import { ask } from '../persistence/browser-database.ts'
import { address, go } from '../state/route.ts'
import type { KeptSession, Session } from '../state/session.ts'
import { cachedState } from './cached-state.ts'
import { keepScreen } from './last-screen.ts'

/** Messages stored for offline use, mostly of the views opened last. */
const MOST = 1000
/**
 * First stored when the page is idle and users are known, then after messages changed, and whenever the page is left.
 */
const AT_REST_MS = 4000
const QUIET_MS = 1500

const STORED = 'view'

interface View extends KeptSession {
  address: string
}

/** Stores the view in the browser for the next start and for offline use. Returns a function that stops it. */
export function keepView(session: Session): () => void {
  const keep = () => {
    if (session.connection.peek().status !== 'online' || !session.isPeopleKnown.peek()) return
    keepScreen(session)
    const messages = session.messages.keep(MOST)
    put({ address: address.peek(), at: Date.now(), state: cachedState(session), messages })
  }
  const onHidden = () => document.visibilityState === 'hidden' && keep()
  let whenAtRest: ReturnType<typeof setTimeout> | undefined
  const endPeople = effect(() => {
    if (session.isPeopleKnown.value) whenAtRest ??= setTimeout(keep, AT_REST_MS)
  })
  let whenQuiet: ReturnType<typeof setTimeout> | undefined
  const endStore = session.messages.onChange(() => {
    clearTimeout(whenQuiet)
    whenQuiet = setTimeout(keep, QUIET_MS)
  })
  document.addEventListener('visibilitychange', onHidden)
  return () => {
    endPeople()
    clearTimeout(whenAtRest)
    clearTimeout(whenQuiet)
    endStore()
    document.removeEventListener('visibilitychange', onHidden)
  }
}

/** Shows the last view while offline, with the other stored messages. */
export async function showKeptView(session: Session): Promise<void> {
  const view = await get()
  if (!view || (session.isReady.peek() && session.cachedAt.peek() === undefined)) return
  session.restore(view)
  if (location.hash === '') go(view.address)
}

const put = (view: View): void =>
  // Without space in the browser, only offline use suffers.
  void ask('kept', 'readwrite', (store) => store.put(view, STORED)).catch(() => {})

const get = (): Promise<View | undefined> =>
  ask('kept', 'readonly', (store) => store.get(STORED)).catch(() => undefined)
