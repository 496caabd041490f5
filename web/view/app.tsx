import { useEffect } from 'preact/hooks'
import { current, signedOut } from '../model/account/account.ts'
import { later } from '../model/state/later.ts'
import { place } from '../model/state/route.ts'
import { isOpenToAll, isReadOnly } from '../model/state/spectator.ts'
import { texts } from '../texts/texts.ts'
import { SessionProvider } from './session-context.ts'
import { Shell } from './shell/shell.tsx'
import type { SignInProps } from './sign-in/sign-in.tsx'

const signIn = later(async () => (await import('./sign-in/sign-in.tsx')).SignIn)

/** The form to sign in with, which people with a session need not load. */
function SignIn(props: SignInProps) {
  useEffect(signIn.load, [])
  const Form = signIn.part.value
  return Form ? <Form {...props} /> : <Opening failed={false} />
}

/** The whole page: of an account, or the way in. */
export function App() {
  const session = current.value
  const connection = session.connection.value
  if (signedOut.value) return <SignIn reason={signedOut.value.reason} />
  if (!session.isReady.value) return <Opening failed={connection.status === 'offline'} />
  if (isReadOnly(session)) {
    const state = session.read('streams')
    if (!isOpenToAll(state, place.value)) return <SignIn mayLookAround={state.subscriptions.length > 0} />
  }
  return (
    <SessionProvider value={session}>
      <Shell />
    </SessionProvider>
  )
}

/** The room of the page while the first state comes: nothing at all for a moment, then words. */
function Opening({ failed }: { failed: boolean }) {
  return (
    <main class="opening" aria-busy="true">
      <p class="slow">{failed ? texts.common.reconnecting : texts.common.loading}</p>
    </main>
  )
}
