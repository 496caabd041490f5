import { effect, signal } from '@preact/signals'
import {
  beginBrowserSession,
  type ChatError,
  endBrowserSession,
  isChatError,
  isSpectator,
} from '../../../src/client/index.ts'
import { showKeptScreen } from '../persistence/last-screen.ts'
import { keepView, showKeptView } from '../persistence/last-view.ts'
import { fetchFirst } from '../reading/first-messages.ts'
import { dropUnsent, giveUnsentBack, holdUnsent } from '../writing/unsent.ts'
import { finishFirstView } from './first-draw.ts'
import { forgetAccount } from './forget-account.ts'
import { serverUrl } from './here.ts'
import { goInstead, keptPlace, place } from './route.ts'
import { openSession, type Session } from './session.ts'
import { isOpenToAll, isReadOnly, lookAgain } from './spectator.ts'
import { whyNotSignedIn } from './why-not-signed-in.ts'

let hadSession = true

/** Whose account this page has shown. */
let lastUser: number | undefined

/** The session that began last: others have nothing to say any more. */
let latest: Session | undefined

/** What is still under way of the account that was here before: nobody signs in until it is done. */
let leaving: Promise<unknown> = Promise.resolve()

/**
 * Why there is no account, while there is none. The way in stays as it is while the page looks for what may be read without
 * one: somebody may be writing there.
 */
export const signedOut = signal<{ reason?: ChatError | undefined } | undefined>(undefined)

/** Where something was kept: what was sent since, in the place that is shown first. */
let shown: Promise<void> = Promise.resolve()
export const sentSince = (): Promise<void> => shown

/** The session of the account that is shown. */
export const current = signal<Session>(begin())

/**
 * Disclosure the browser's session. What it shows is kept for the next start and for times without a connection, and forgotten
 * when it has ended.
 */
function begin(): Session {
  const session = openSession()
  const before = latest
  latest = session
  let endKeeping: (() => void) | undefined
  let isOpening = true
  let isFirst = true
  session.live.onChange((change) => {
    if (change.type !== 'registered' || session !== latest) return
    signedOut.value = undefined
    const { state, previous } = change
    if (!previous && !isReadOnly(session)) giveUnsentBack(state.user_id)
    // The browser has the session of somebody else now, or of nobody.
    if (previous && previous.user_id !== state.user_id) {
      // Who had no account has left nothing here: what is there is of another tab, which is signed in.
      if (isSpectator(previous)) location.reload()
      else void forgetAccount().finally(() => location.reload())
    }
    if (!isReadOnly(session)) lastUser = state.user_id
    if (!isFirst) return
    isFirst = false
    if (!isReadOnly(session) || isOpenToAll(state, place.peek())) void fetchShown(session)
    // What an account has left here is not for those who come after it.
    if (isReadOnly(session)) void forgetAccount()
  })
  showKeptScreen(session)
  if (session.isReady.peek()) shown = fetchShown(session)
  effect(() => {
    const connection = session.connection.value
    if (connection.status === 'offline' && !endKeeping) void showKeptView(session)
    if (connection.status === 'online') endKeeping ??= isReadOnly(session) ? lookAgain(session) : keepView(session)
    if (connection.status !== 'connecting' && isOpening) {
      isOpening = false
      finishFirstView(session)
    }
    if (connection.status !== 'ended') return
    endKeeping?.()
    if (session !== latest) return
    signedOut.value ??= { reason: connection.error }
    // Ended by the server: what is left here may be another's next time.
    if (!connection.error) return
    session.end()
    holdUnsent(session)
    leaving = forgetAccount().then(() => connection.error?.code === 'INVALID_API_KEY' && beginWithout())
  })
  if (before?.connection.peek().status !== 'ended') void before?.live.stop()
  before?.end()
  return session
}

/** Asks for the messages of the place that is shown first, before it is drawn. */
async function fetchShown(session: Session): Promise<void> {
  const where = place.peek()
  if (where.view === 'feed') await fetchFirst(session, where.narrow, keptPlace()?.id ?? where.near)
}

/** The cookie of a session that has ended is gone: some streams may be for everybody. Once, as browsers may keep it nevertheless. */
function beginWithout(): void {
  if (!hadSession) return
  hadSession = false
  current.value = begin()
}

/** Signs in; throws an Error whose message says what to do. */
export async function signIn(username: string, password: string): Promise<void> {
  await leaving
  const { user_id } = await beginBrowserSession(serverUrl, { username, password }).catch((error: unknown) => {
    throw new Error(whyNotSignedIn(error))
  })
  hadSession = true
  const isAnother = lastUser !== undefined && lastUser !== user_id
  if (!isAnother) {
    signedOut.value = undefined
    current.value = begin()
  }
  const where = place.peek()
  if (where.view === 'sign-in') goInstead(where.next)
  if (!isAnother) return
  // What the page itself has of the other account, such as an open edit, goes with a new page.
  location.reload()
  return new Promise(() => {})
}

export async function signOut(): Promise<void> {
  const left = leave(current.value)
  leaving = left.catch(() => {})
  await left
}

async function leave(session: Session): Promise<void> {
  await session.live.stop()
  try {
    await endBrowserSession(serverUrl)
  } catch (error) {
    // It may have been ended elsewhere. Without a connection the cookie is still there, and so is the account.
    if (!isChatError(error)) {
      // The session that goes on has nothing of this one's by itself.
      holdUnsent(session)
      current.value = begin()
      // Not before: the session that has ended would say it again.
      signedOut.value = undefined
      throw error
    }
  }
  dropUnsent()
  await forgetAccount()
  hadSession = false
  current.value = begin()
}
