import { useSignal } from '@preact/signals'
import { isChatError } from '../../../../src/client/index.ts'
import { namesList } from '../../../model/state/language.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { openCopyDialog } from '../../parts/copy-dialog.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { onDemand } from '../../parts/on-demand.tsx'
import { longAgo, shortDate } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { useAnswer } from '../use-answer.ts'
import { Devices } from './devices.tsx'

const LimitedKeyForm = onDemand(async () => (await import('./limited-key-form.tsx')).LimitedKeyForm)

/** Returns the name of a session. The server names a browser's session in English: "Firefox on Linux". */
function sessionName(name: string): string {
  const [, browser, system] = /^(\w+) on (\w+)$/.exec(name) ?? []
  return browser && system ? pageTexts.sessions.browserOn(browser, system) : name
}

/** What a limited key permits, and until when. */
function limitsOf(scopes: readonly (keyof typeof pageTexts.limitedKeys.scopes)[], expires_at: number | null): string {
  const permitted = namesList(scopes.map((scope) => pageTexts.limitedKeys.scopes[scope]))
  const end = expires_at === null ? '' : pageTexts.limitedKeys.until(shortDate(new Date(expires_at * 1000)))
  return ` · ${permitted}${end}`
}

/** The account's sessions and keys, with actions to revoke and create them. */
export function Sessions() {
  const session = useSession()
  const { client } = session
  const { answer, problem, load } = useAnswer(() => client.listApiKeys())
  const factor = useAnswer(() => client.getSecondFactor())
  /** Whether the form for limited keys is open. */
  const isLimiting = useSignal(false)
  const end = (key_id: number) =>
    attempt(async () => {
      try {
        await client.endApiKey({ key_id })
      } catch (error) {
        // The session was revoked elsewhere, which no event announces.
        if (!isChatError(error) || error.kind !== 'request') throw error
      }
      await load()
    })
  const others = answer.value?.api_keys.filter(({ current }) => !current) ?? []
  const endOthers = () =>
    confirm({
      title: pageTexts.sessions.signOutOthersTitle,
      text: pageTexts.sessions.signOutOthersText,
      action: pageTexts.sessions.signOutOthersAction,
      run: async () => {
        await client.signOutEverywhere()
        await load()
      },
    })
  const makeKey = async (data: FormData) => {
    const username = session.state.delivery_email
    const code = String(data.get('code') ?? '').trim()
    const password = String(data.get('password'))
    const { api_key } = await client.fetchApiKey({ username, password, ...(code !== '' && { code }) })
    await load()
    openCopyDialog(pageTexts.sessions.keyTitle, pageTexts.sessions.keyText(username), [
      { label: pageTexts.bots.apiKey, value: api_key },
    ])
  }
  const { has_password = true, totp = false, passkeys = 0 } = factor.answer.value ?? {}
  const proof = { hasPassword: has_password, hasApp: totp, hasPasskey: passkeys > 0 }
  return (
    <>
      <p class="quiet">{pageTexts.sessions.intro}</p>
      <Problem of={problem} />
      <ul class="sessions">
        {answer.value?.api_keys.map(({ id, name, created_at, last_used_at, last_address, current, ...key }) => (
          <li key={id}>
            <span class="name">
              {sessionName(name)}
              {current && <span class="quiet small"> {pageTexts.sessions.current}</span>}
            </span>
            <span class="quiet small">
              {last_used_at === null
                ? pageTexts.sessions.unused(longAgo(created_at))
                : pageTexts.sessions.used(longAgo(created_at), longAgo(last_used_at))}
              {last_address !== null && pageTexts.sessions.from(last_address)}
              {key.scopes !== null && limitsOf(key.scopes, key.expires_at)}
            </span>
            <EndButton isSession={key.kind === 'session'} name={sessionName(name)} end={() => end(id)} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <button type="button" onClick={endOthers}>
          {pageTexts.sessions.signOutOthers}
        </button>
      )}
      <Devices />
      <h3>{pageTexts.sessions.newKey}</h3>
      {has_password && (
        <ActionForm action={pageTexts.sessions.createKey} run={makeKey}>
          <label>
            {pageTexts.sessions.yourPassword}
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          {totp && (
            <label>
              {pageTexts.secondFactor.code}
              <input name="code" autocomplete="one-time-code" required />
            </label>
          )}
        </ActionForm>
      )}
      <details onToggle={(event) => (isLimiting.value = event.currentTarget.open)}>
        <summary>{pageTexts.limitedKeys.title}</summary>
        {isLimiting.value && <LimitedKeyForm proof={proof} onDone={load} />}
      </details>
      <p>
        <a href="accounts/key">{pageTexts.sessions.keyPage}</a>
      </p>
    </>
  )
}

interface EndButtonProps {
  isSession: boolean
  name: string
  end(): void
}

/** Signs a session out, or revokes a key. */
const EndButton = ({ isSession, name, end }: EndButtonProps) => (
  <button
    type="button"
    aria-label={isSession ? pageTexts.sessions.signOutName(name) : pageTexts.sessions.revokeName(name)}
    onClick={end}
  >
    {isSession ? pageTexts.sessions.signOut : pageTexts.common.revoke}
  </button>
)
