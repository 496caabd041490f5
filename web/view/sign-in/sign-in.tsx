import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ChatError } from '../../../src/client/index.ts'
import { signIn } from '../../model/state/account.ts'
import { organization, readOrganization } from '../../model/state/organization.ts'
import { texts } from '../../texts/texts.ts'

export interface SignInProps {
  /** Why the last account's session ended. */
  reason?: ChatError | undefined
  /** Whether there are public streams for visitors. */
  mayLookAround?: boolean
}

/** The sign-in form: email address and password. */
export function SignIn({ reason, mayLookAround = false }: SignInProps) {
  const problem = useSignal('')
  const busy = useSignal(false)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => void readOrganization(), [])
  const { name, description, icon, sendsEmail } = organization.value

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    busy.value = true
    try {
      await signIn(String(form.get('username')).trim(), String(form.get('password')))
    } catch (error) {
      problem.value = (error as Error).message
      busy.value = false
      password.current?.select()
    }
  }
  const ended = reason?.code === 'USER_DEACTIVATED' ? texts.signIn.deactivated : ''
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <header>
          {icon && <img src={icon} alt="" width="48" height="48" />}
          <h1>{name || texts.signIn.title}</h1>
          {description && <p class="quiet">{description}</p>}
        </header>
        <label>
          {texts.signIn.email}
          <input type="email" name="username" autocomplete="username" required autofocus />
        </label>
        <label>
          {texts.signIn.password}
          <input ref={password} type="password" name="password" autocomplete="current-password" required />
        </label>
        <p class="problem" role="alert">
          {problem.value || ended}
        </p>
        <button type="submit" class="primary" disabled={busy.value}>
          {busy.value ? texts.signIn.signingIn : texts.signIn.signIn}
        </button>
        <p class="quiet small">
          {sendsEmail ? <a href="accounts/password/reset/">{texts.signIn.forgotPassword}</a> : texts.signIn.noAccount}
        </p>
        {mayLookAround && (
          <p class="look-around">
            <a href="#streams">{texts.signIn.lookAround}</a>
          </p>
        )}
      </form>
    </main>
  )
}
