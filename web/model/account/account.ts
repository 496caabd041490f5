import { effect, signal } from '@preact/signals'
import { type ChatError, endBrowserSession, isChatError, isSpectator } from '../../../src/client/index.ts'
import { serverUrl } from '../here.ts'
import { inboxRows } from '../navigation/inbox.ts'
import { fetchFirst } from '../reading/first-messages.ts'
import { unreadOf } from '../reading/unread.ts'
import { finishFirstView } from '../state/first-draw.ts'
import { noteVisit } from '../state/first-visit.ts'
import { goInstead, keptPlace, place } from '../state/route.ts'
import { openSession, type Session } from '../state/session.ts'
import { isOpenToAll, isReadOnly, lookAgain } from '../state/spectator.ts'
import { dropUnsent, giveUnsentBack, holdUnsent } from '../writing/unsent.ts'
import { forgetAccount } from './forget-account.ts'
import { showKeptScreen } from './last-screen.ts'
import { keepView, showKeptView } from './last-view.ts'

let hadSession = true

/** The account that this page has shown. */
let lastUser: number | undefined

/** The newest session. Earlier ones are ignored. */
let latest: Session | undefined

/** The session that somebody signs out of. It is shown until the server has ended it. */
let ending: Session | undefined

/** Pending work of the previous account. Signing in waits for it. */
let leaving: Promise<unknown> = Promise.resolve()

/**
 * Why no one is signed in, if so. The sign-in form stays while the page looks for public content, because the user may
 * be typing in it.
 */
export const signedOut = signal<{ reason?: ChatError | undefined } | undefined>(undefined)

/** If a screen was stored: resolves with newer messages of the place that is shown first. */
let shown: Promise<void> = Promise.resolve()
export const sentSince = (): Promise<void> => shown

/** The session of the account that is shown. */
export const current = signal<Session>(begin())

/**
 * Opens the browser's session. Its view is stored for the next start and for offline use, and deleted when the session
 * ends.
 */
function begin(): Session {
  const session = openSession([
    (opened) => unreadOf(opened).value,
    (opened) => place.peek().view === 'inbox' && inboxRows(opened).value,
  ])
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
    // The browser now has another session, or none.
    if (previous && previous.user_id !== state.user_id) {
      // A visitor has stored nothing here. The stored data belongs to another tab, which is signed in.
      if (isSpectator(previous)) location.reload()
      else void forgetAccount().finally(() => location.reload())
    }
    if (!isReadOnly(session)) {
      lastUser = state.user_id
      noteVisit()
    }
    if (!isFirst) return
    isFirst = false
    if (!isReadOnly(session) || isOpenToAll(state, place.peek())) void fetchShown(session)
    // Stored data of an account must not stay for the next user.
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
    if (connection.error?.code === 'TERMS_NOT_ACCEPTED') return location.assign('accounts/terms')
    endKeeping?.()
    if (session !== latest || (session === ending && !connection.error)) return
    signedOut.value ??= { reason: connection.error }
    // The server ended the session, so the next user may be someone else.
    if (!connection.error) return
    session.end()
    holdUnsent(session)
    leaving = forgetAccount().then(() => connection.error?.code === 'INVALID_API_KEY' && beginWithout())
  })
  if (before?.connection.peek().status !== 'ended') void before?.live.stop()
  before?.end()
  return session
}

/** Fetches the messages of the first place before it is drawn. */
async function fetchShown(session: Session): Promise<void> {
  const where = place.peek()
  if (where.view === 'feed') await fetchFirst(session, where.narrow, keptPlace()?.id ?? where.near)
}

/**
 * The cookie of an ended session is gone, so public streams may be visible. Only once, because browsers may keep the
 * cookie.
 */
function beginWithout(): void {
  if (!hadSession) return
  hadSession = false
  signedOut.value = {}
  current.value = begin()
}

/** Signs in with what `begin` does. */
export async function signIn(begins: () => Promise<{ user_id: number }>): Promise<void> {
  await leaving
  const { user_id } = await begins()
  hadSession = true
  noteVisit()
  const isAnother = lastUser !== undefined && lastUser !== user_id
  if (!isAnother) {
    signedOut.value = undefined
    current.value = begin()
  }
  const where = place.peek()
  if (where.view === 'sign-in') goInstead(where.next)
  if (!isAnother) return
  // A new page drops everything of the other account, such as an open edit.
  location.reload()
  return new Promise(() => {})
}

export async function signOut(): Promise<void> {
  const left = leave(current.value)
  leaving = left.catch(() => {})
  await left
}

async function leave(session: Session): Promise<void> {
  ending = session
  await session.live.stop()
  try {
    await endBrowserSession(serverUrl)
  } catch (error) {
    // It may have been ended elsewhere. Without a connection, the cookie and the account are still there.
    if (!isChatError(error)) {
      // The session that continues has nothing of this one.
      holdUnsent(session)
      current.value = begin()
      throw error
    }
  }
  dropUnsent()
  signedOut.value = {}
  await forgetAccount()
  hadSession = false
  current.value = begin()
}
