import { CopiedText } from '../parts/copied-text.tsx'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { attempt } from '../parts/notices.tsx'
import { ago } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ActionForm } from './action-form.tsx'
import { useAnswer } from './use-answer.ts'

/** Where the account is signed in, what can be ended, and a key for a program. */
export function Sessions() {
  const session = useSession()
  const { client } = session
  const { answer, problem, load } = useAnswer(() => client.listApiKeys())
  const end = (key_id: number) =>
    attempt(async () => {
      await client.endApiKey({ key_id })
      await load()
    })
  const makeKey = async (data: FormData) => {
    const username = session.state.delivery_email
    const { api_key } = await client.fetchApiKey({ username, password: String(data.get('password')) })
    await load()
    openDialog(
      'Your new key',
      <>
        <p>It is shown this once. A program that has it acts as you: {username} and the key are what it asks for.</p>
        <CopiedText label="API key" value={api_key} />
        <footer>
          <button type="button" class="primary" onClick={closeDialog}>
            Done
          </button>
        </footer>
      </>,
    )
  }
  return (
    <>
      <p class="quiet">Browsers that are signed in, and keys that programs use. Each can be ended by itself.</p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <ul class="sessions">
        {answer.value?.api_keys.map(({ id, name, created_at, last_used_at, current }) => (
          <li key={id}>
            <span class="name">
              {name}
              {current && <span class="quiet small"> (this browser)</span>}
            </span>
            <span class="quiet small">
              since {ago(created_at)}
              {last_used_at !== null && `, used ${ago(last_used_at)}`}
            </span>
            <button type="button" aria-label={`End ${name}`} onClick={() => end(id)}>
              End
            </button>
          </li>
        ))}
      </ul>
      <h3>A key for a program</h3>
      <ActionForm action="Make a key" run={makeKey}>
        <label>
          Your password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
      </ActionForm>
    </>
  )
}
