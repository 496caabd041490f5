import { effect } from '@preact/signals'
import { address, go } from '../state/route.ts'
import type { KeptSession, Session } from '../state/session.ts'
import { ask } from './browser-database.ts'
import { cachedState } from './cached-state.ts'
import { keepScreen } from './last-screen.ts'

/** How many messages are kept for a time without a connection: those of the views that were opened last, about. */
const MOST = 1000
/** The first time once the page is at rest and people are known, then when messages have changed, and whenever the page is left. */
const AT_REST_MS = 4000
const QUIET_MS = 1500

const STORED = 'view'

interface View extends KeptSession {
  address: string
}

/** Keeps what is shown in the browser, for the next start and for times without a connection. Returns a function that ends it. */
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

/** Where there is no connection: shows the last view, with the messages of others. */
export async function showKeptView(session: Session): Promise<void> {
  const view = await get()
  if (!view || (session.isReady.peek() && session.cachedAt.peek() === undefined)) return
  session.restore(view)
  if (location.hash === '') go(view.address)
}

const put = (view: View): void =>
  // Without room in the browser there is nothing to show later, and nothing else is wrong.
  void ask('kept', 'readwrite', (store) => store.put(view, STORED)).catch(() => {})

const get = (): Promise<View | undefined> =>
  ask('kept', 'readonly', (store) => store.get(STORED)).catch(() => undefined)
