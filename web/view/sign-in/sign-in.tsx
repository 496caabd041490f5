import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { beginBrowserSession, type ChatError, completeBrowserSession, isChatError } from '../../../src/client/index.ts'
import { signIn } from '../../model/account/account.ts'
import { organization, readOrganization } from '../../model/account/organization.ts'
import { serverUrl } from '../../model/here.ts'
import { chooseLanguage, language } from '../../model/state/language.ts'
import { hasPasskeys, usePasskey } from '../../model/state/passkeys.ts'
import { whyNotSignedIn } from '../../model/state/why-not-signed-in.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import type { Language } from '../../texts/plural.ts'
import { texts } from '../../texts/texts.ts'
import { languageChoices } from '../parts/language-names.ts'
import { reasonOf } from '../parts/notices.tsx'
import '../parts/problem-words.ts'
import { showAccent } from '../parts/theme.ts'
import { SignUp } from './sign-up.tsx'

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
  /** Set once the password was right and the second factor is missing. */
  const ticket = useSignal('')
  const secret = useRef<HTMLInputElement>(null)
  useEffect(() => void readOrganization(), [])
  const { name, description, icon, accent, sendsEmail, hasSignUp, methods, providers, passkeys } = organization.value
  useEffect(() => showAccent(accent), [accent])
  const signsUp = useSignal(false)
  /** Whether somebody whose password still works asked for its fields. */
  const usesPassword = useSignal(false)
  const showsPassword = methods.password !== false || usesPassword.value

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const begin = () =>
      ticket.value === ''
        ? beginBrowserSession(serverUrl, { username: text('username'), password: String(form.get('password')) })
        : completeBrowserSession(serverUrl, { ticket: ticket.value, code: text('code') })
    busy.value = true
    try {
      await signIn(begin)
    } catch (error) {
      busy.value = false
      const needed = isChatError(error) && error.code === 'SECOND_FACTOR_REQUIRED'
      if (needed && error.data.url) return location.assign(String(error.data.url))
      if (needed) ticket.value = String(error.data.ticket)
      // The server says whether the code was wrong or the password is asked again.
      const isCode = ticket.value !== '' && isChatError(error) && error.code === 'AUTHENTICATION_FAILED'
      problem.value = needed ? '' : isCode ? reasonOf(error) : whyNotSignedIn(error)
      secret.current?.select()
    }
  }
  const withPasskey = async () => {
    busy.value = true
    try {
      await signIn(() => usePasskey(ticket.value))
    } catch (error) {
      busy.value = false
      const isRefused = isChatError(error) && error.code === 'AUTHENTICATION_FAILED'
      if (isRefused) problem.value = reasonOf(error)
      else problem.value = error instanceof DOMException ? pieceTexts.signIn.passkeyCanceled : whyNotSignedIn(error)
    }
  }
  if (signsUp.value) return <SignUp logo={<Logo icon={icon} />} leave={() => (signsUp.value = false)} />
  const ended = reason?.code === 'USER_DEACTIVATED' ? pieceTexts.signIn.deactivated : ''
  return (
    <main class="sign-in">
      {/* Without validation, the field takes names as well. */}
      <form class="card" noValidate={methods.ldap ?? false} onSubmit={(event) => void submit(event)}>
        <header>
          <Logo icon={icon} />
          <h1>{name || pieceTexts.signIn.title}</h1>
          {description && <p class="quiet">{description}</p>}
        </header>
        {ticket.value === '' && <Providers of={providers} />}
        {!showsPassword ? null : ticket.value === '' ? (
          <>
            <label>
              {methods.ldap ? pieceTexts.signIn.emailOrUsername : pieceTexts.signIn.email}
              <input type="email" name="username" autocomplete="username" required autofocus />
            </label>
            <label>
              {pieceTexts.signIn.password}
              <input ref={secret} type="password" name="password" autocomplete="current-password" required />
            </label>
          </>
        ) : (
          <Code field={secret} />
        )}
        <p class="problem" role="alert">
          {problem.value || ended}
        </p>
        {showsPassword ? (
          <button type="submit" class="primary" disabled={busy.value}>
            {busy.value ? pieceTexts.signIn.signingIn : texts.places.signIn}
          </button>
        ) : (
          <button type="button" onClick={() => (usesPassword.value = true)}>
            {pieceTexts.signIn.usePassword}
          </button>
        )}
        {passkeys && showsPassword && hasPasskeys() && (
          <button type="button" disabled={busy.value} onClick={() => void withPasskey()}>
            {pieceTexts.signIn.usePasskey}
          </button>
        )}
        {!showsPassword ? null : ticket.value === '' ? (
          <p class="quiet small">
            {sendsEmail ? (
              <a href="accounts/password/reset/">{pieceTexts.signIn.forgotPassword}</a>
            ) : (
              pieceTexts.signIn.noAccount
            )}
          </p>
        ) : (
          <button type="button" onClick={() => (ticket.value = problem.value = '')}>
            {pieceTexts.signIn.startAgain}
          </button>
        )}
        {hasSignUp && ticket.value === '' && (
          <button type="button" onClick={() => (signsUp.value = true)}>
            {pieceTexts.signUp.open}
          </button>
        )}
        {mayLookAround && (
          <p class="look-around">
            <a href="#streams">{pieceTexts.signIn.lookAround}</a>
          </p>
        )}
      </form>
      <LanguagePicker />
    </main>
  )
}

/** The organization's logo for the present theme; the icon if it has no logo. */
function Logo({ icon }: { icon: string }) {
  const { logo, darkLogo } = organization.value
  const { theme } = document.documentElement.dataset
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const wide = (isDark && darkLogo) || logo
  if (wide) return <img class="logo" src={wide} alt="" />
  return icon ? <img src={icon} alt="" width="48" height="48" /> : null
}

/** Each language has its own name, so that readers find theirs on a page they can't read. */
const LanguagePicker = () => (
  <select
    class="language-picker quiet small"
    aria-label={pieceTexts.signIn.language}
    value={language}
    onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
  >
    {languageChoices().map(([code, name]) => (
      <option key={code} value={code} lang={code}>
        {name}
      </option>
    ))}
  </select>
)

/** Links, because the page's policy keeps forms on this server. */
const Providers = ({ of }: { of: readonly { name: string; display_name: string; login_url: string }[] }) => (
  <>
    {of.map(({ name, display_name, login_url }) => (
      <a key={name} class="button" href={login_url}>
        {pieceTexts.signIn.signInWith(display_name)}
      </a>
    ))}
  </>
)

/** The field of the second factor. It takes the focus when the password was right. */
function Code({ field }: { field: RefObject<HTMLInputElement | null> }) {
  useEffect(() => field.current?.focus(), [])
  return (
    <label>
      {pieceTexts.signIn.code}
      <input ref={field} name="code" autocomplete="one-time-code" autocapitalize="characters" required />
      <span class="about quiet small">{pieceTexts.signIn.codeHelp}</span>
    </label>
  )
}
