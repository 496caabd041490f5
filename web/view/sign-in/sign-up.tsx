import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { createClient } from '../../../src/client/index.ts'
import { organization } from '../../model/account/organization.ts'
import { serverUrl } from '../../model/here.ts'
import { solve } from '../../model/sign-up/solve.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { Problem, reasonOf } from '../parts/notices.tsx'

/** Asks for an email address, does the server's work, and says where to look for the link. */
export function SignUp({ logo, leave }: { logo: ComponentChildren; leave: () => void }) {
  const problem = useSignal('')
  const busy = useSignal(false)
  const sentTo = useSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy.value) return
    const email = String(new FormData(event.currentTarget as HTMLFormElement).get('email')).trim()
    busy.value = true
    problem.value = ''
    try {
      const client = createClient({ url: serverUrl })
      const { algorithm, challenge, salt, max, signature } = await client.getSignUpChallenge()
      const number = await solve({ challenge, salt, max })
      await client.requestSignUp({ email, challenge: { algorithm, challenge, salt, max, signature, number } })
      sentTo.value = email
    } catch (error) {
      problem.value = reasonOf(error)
    }
    busy.value = false
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <header>
          {logo}
          <h1>{pieceTexts.signUp.title(organization.value.name)}</h1>
        </header>
        {sentTo.value === '' ? (
          <>
            <p class="quiet">{pieceTexts.signUp.intro}</p>
            <label>
              {pieceTexts.signIn.email}
              <input type="email" name="email" autocomplete="email" required autofocus />
            </label>
            <Problem of={problem} />
            <button type="submit" class="primary" disabled={busy.value}>
              {busy.value ? pieceTexts.signUp.working : pieceTexts.signUp.action}
            </button>
          </>
        ) : (
          <p role="status">{pieceTexts.signUp.sent(sentTo.value)}</p>
        )}
        <button type="button" onClick={leave}>
          {pieceTexts.signUp.back}
        </button>
      </form>
    </main>
  )
}
