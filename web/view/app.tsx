import { current } from '../model/state/account.ts'
import { useHomeView } from './parts/home-view.ts'
import { useLanguage } from './parts/language.ts'
import { useDensity, useTheme } from './parts/theme.ts'
import { SessionProvider } from './session-context.ts'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

/** The whole page: of an account, or the way in. */
export function App() {
  const session = current.value
  const connection = session.connection.value
  useTheme()
  useDensity()
  useLanguage()
  useHomeView()
  if (connection.status === 'ended') return <SignIn reason={connection.error} />
  if (!session.isReady.value) return <Opening failed={connection.status === 'offline'} />
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
      <p class="slow">{failed ? 'The server cannot be reached. Trying again …' : 'Opening …'}</p>
    </main>
  )
}
