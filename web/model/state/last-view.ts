import type { ClientState, KeptMessages } from '../../../src/client/index.ts'
import { ask } from './browser-database.ts'
import { address, go } from './route.ts'
import type { Session } from './session.ts'

/** How many messages are kept: those of the views that were opened last, about. */
const MOST = 1000
/** The state is kept once the page is at rest, and again whenever it is left. */
const AT_REST_MS = 5000
const QUIET_MS = 1500

interface View {
  address: string
  /** Milliseconds since 1970. */
  at: number
  messages: KeptMessages
}

/** Keeps what is shown in the browser, so that it can be read without a connection. Returns a function that ends it. */
export function keepView(session: Session): () => void {
  const isOnline = () => session.connection.peek().status === 'online'
  const keepState = () => isOnline() && put('state', session.state)
  const keepMessages = () => {
    const view: View = { address: address.peek(), at: Date.now(), messages: session.messages.keep(MOST) }
    return isOnline() && put('view', view)
  }
  const onHidden = () => {
    if (document.visibilityState !== 'hidden') return
    keepState()
    keepMessages()
  }
  const whenAtRest = setTimeout(keepState, AT_REST_MS)
  let whenQuiet: ReturnType<typeof setTimeout> | undefined
  const endStore = session.messages.onChange(() => {
    clearTimeout(whenQuiet)
    whenQuiet = setTimeout(keepMessages, QUIET_MS)
  })
  document.addEventListener('visibilitychange', onHidden)
  return () => {
    clearTimeout(whenAtRest)
    clearTimeout(whenQuiet)
    endStore()
    document.removeEventListener('visibilitychange', onHidden)
  }
}

/** Shows what was kept, where there is something. */
export async function showKeptView(session: Session): Promise<void> {
  const [state, view] = await Promise.all([get<ClientState>('state'), get<View>('view')])
  if (!state || !view || session.isReady.peek()) return
  if (location.hash === '') go(view.address)
  session.restore({ state, messages: view.messages, at: view.at })
}

const put = (key: string, value: unknown): void =>
  // Without room in the browser there is nothing to show later, and nothing else is wrong.
  void ask('kept', 'readwrite', (store) => store.put(value, key)).catch(() => {})

const get = <T>(key: string): Promise<T | undefined> =>
  ask('kept', 'readonly', (store) => store.get(key)).catch(() => undefined)
