import { effect, signal } from '@preact/signals'
import { beginBrowserSession, endBrowserSession, isChatError } from '../../../src/client/index.ts'
import { fetchFirst } from '../reading/feed.ts'
import { restSoon } from './at-rest.ts'
import { forgetStored } from './browser-database.ts'
import { browserName } from './browser-name.ts'
import { keepView, showKeptMessages, showKeptView } from './last-view.ts'
import { forgetPush } from './push.ts'
import { place } from './route.ts'
import { openSession, type Session } from './session.ts'

/** The session of the account that is shown. */
export const current = signal<Session>(begin())

/**
 * Opens the browser's session. What it shows is kept for the next start and for times without a connection, and forgotten
 * when it has ended.
 */
function begin(): Session {
  const session = openSession()
  let endKeeping: (() => void) | undefined
  let isOpening = true
  void showKeptView(session)
  let isFirst = true
  session.live.onChange((change) => {
    if (change.type !== 'registered') return
    const { state, previous } = change
    // The browser has the session of somebody else now.
    if (previous && previous.user_id !== state.user_id) void forgetStored().finally(() => location.reload())
    const where = place.peek()
    if (isFirst && where.view === 'feed') fetchFirst(session, where.narrow, where.near)
    isFirst = false
  })
  effect(() => {
    const connection = session.connection.value
    if (connection.status === 'offline' && !endKeeping) void showKeptMessages(session)
    if (connection.status === 'online') endKeeping ??= keepView(session)
    if (connection.status !== 'connecting' && isOpening) {
      isOpening = false
      restSoon(session)
    }
    if (connection.status !== 'ended') return
    endKeeping?.()
    // Ended by the server: what is left here may be another's next time.
    if (connection.error) void Promise.allSettled([forgetStored(), forgetPush()])
  })
  return session
}

/** Signs in; throws an Error whose message says what to do. */
export async function signIn(username: string, password: string): Promise<void> {
  try {
    await beginBrowserSession(location.origin, { username, password, name: browserName(navigator.userAgent) })
  } catch (error) {
    throw new Error(sentence(error))
  }
  current.value = begin()
}

export async function signOut(): Promise<void> {
  const { live } = current.value
  await live.stop()
  try {
    await endBrowserSession(location.origin)
  } catch (error) {
    // It may have been ended elsewhere. Without a connection the cookie is still there, and so is the account.
    if (!isChatError(error)) {
      current.value = begin()
      throw error
    }
  }
  await Promise.allSettled([forgetStored(), forgetPush()])
  current.value = begin()
}

const sentences: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: 'That e-mail address and password do not go together. Look at both, and try again.',
  USER_DEACTIVATED: 'This account has been deactivated. An administrator can open it again.',
  REALM_DEACTIVATED: 'This organization has been closed.',
}

function sentence(error: unknown): string {
  if (!isChatError(error)) return 'The server cannot be reached. Your connection may be down; try again in a moment.'
  if (error.kind === 'rate') {
    const minutes = Math.ceil(Number(error.data['retry-after'] ?? 60) / 60)
    return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
  }
  return sentences[error.code] ?? `${error.message}.`
}
