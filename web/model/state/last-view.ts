import type { ClientState, KeptMessages } from '../../../src/client/index.ts'
import { peopleByPresence } from '../reading/people.ts'
import { ask } from './browser-database.ts'
import { address, go, place } from './route.ts'
import type { Session } from './session.ts'

/** How many messages are kept for a time without a connection: those of the views that were opened last, about. */
const MOST = 1000
/** And how many of the view itself on each side of the place that is read, for the first moment of the next start. */
const ON_SCREEN = 40
/** So many people are kept: those of the latest conversations, and those at the top of the list. */
const CONVERSATIONS = 20
const PEOPLE = 40
/** The first time once the page is at rest, then when messages have changed, and whenever the page is left. */
const AT_REST_MS = 4000
const QUIET_MS = 1500

/** What the first moment needs: little, so that it is read quickly. */
interface Screen {
  address: string
  /** Milliseconds since 1970. */
  at: number
  state: ClientState
  messages: KeptMessages
}

/** Keeps what is shown in the browser, for the next start and for times without a connection. Returns a function that ends it. */
export function keepView(session: Session): () => void {
  const isOnline = () => session.connection.peek().status === 'online'
  const keepScreen = () => {
    if (!isOnline() || !session.isPeopleKnown.peek()) return
    const { narrow } = { narrow: undefined, ...place.peek() }
    const messages = narrow ? session.messages.keepFeed(narrow, ON_SCREEN) : { messages: [], feeds: [] }
    put('screen', { address: address.peek(), at: Date.now(), state: keptState(session), messages } satisfies Screen)
  }
  const keepMessages = () => isOnline() && put('messages', session.messages.keep(MOST))
  const onHidden = () => {
    if (document.visibilityState !== 'hidden') return
    keepScreen()
    keepMessages()
  }
  const whenAtRest = setTimeout(onQuiet, AT_REST_MS)
  let whenQuiet: ReturnType<typeof setTimeout> | undefined
  function onQuiet(): void {
    keepScreen()
    keepMessages()
  }
  const endStore = session.messages.onChange(() => {
    clearTimeout(whenQuiet)
    whenQuiet = setTimeout(onQuiet, QUIET_MS)
  })
  document.addEventListener('visibilitychange', onHidden)
  return () => {
    clearTimeout(whenAtRest)
    clearTimeout(whenQuiet)
    endStore()
    document.removeEventListener('visibilitychange', onHidden)
  }
}

/** The state with a few people instead of all, who are most of it. */
function keptState(session: Session): ClientState {
  const { state } = session
  const latest = [...state.recent_private_conversations]
    .sort((a, b) => b.max_message_id - a.max_message_id)
    .slice(0, CONVERSATIONS)
  const first = peopleByPresence(session).peek().slice(0, PEOPLE)
  const ids = new Set([state.user_id, ...latest.flatMap((one) => one.user_ids), ...first.map((one) => one.user_id)])
  const ofThese = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries([...ids].flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]]])))
  return {
    ...state,
    realm_users: state.realm_users.filter((one) => ids.has(one.user_id)),
    realm_non_active_users: state.realm_non_active_users.filter((one) => ids.has(one.user_id)),
    presences: ofThese(state.presences as Record<string, never>),
    user_status: ofThese(state.user_status),
  }
}

/** Shows what was on the screen last, where something was kept. */
export async function showKeptView(session: Session): Promise<void> {
  const screen = await get<Screen>('screen')
  if (screen && !session.isReady.peek()) session.restore(screen)
}

/** Where there is no connection: shows the last view, with the messages of others. */
export async function showKeptMessages(session: Session): Promise<void> {
  const [screen, messages] = await Promise.all([get<Screen>('screen'), get<KeptMessages>('messages')])
  if (!screen || !messages) return
  if (!session.isReady.peek()) session.restore(screen)
  if (session.keptAt.peek() === undefined) return
  if (location.hash === '') go(screen.address)
  session.messages.restore(messages)
}

const put = (key: string, value: unknown): void =>
  // Without room in the browser there is nothing to show later, and nothing else is wrong.
  void ask('kept', 'readwrite', (store) => store.put(value, key)).catch(() => {})

const get = <T>(key: string): Promise<T | undefined> =>
  ask('kept', 'readonly', (store) => store.get(key)).catch(() => undefined)
