import { isChatError } from '../../../../src/client/index.ts'
import { confirm } from '../../parts/confirm.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { showToCopy } from '../../parts/show-to-copy.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { useAnswer } from '../use-answer.ts'

/** Where the account is signed in, what can be ended, and a key for a program. */
export function Sessions() {
  const session = useSession()
  const { client } = session
  const { answer, problem, load } = useAnswer(() => client.listApiKeys())
  const endOne = async (key_id: number) => {
    try {
      await client.endApiKey({ key_id })
    } catch (error) {
      // It has ended elsewhere, of which no event tells.
      if (!isChatError(error) || error.kind !== 'request') throw error
    }
  }
  const end = (key_id: number) =>
    attempt(async () => {
      await endOne(key_id)
      await load()
    })
  const others = answer.value?.api_keys.filter(({ current }) => !current) ?? []
  const endOthers = () =>
    confirm({
      title: 'End all others?',
      text: 'Every other browser is signed out, and programs need a new key. This browser stays signed in.',
      action: 'End them',
      run: async () => {
        // Those that have begun since the page was opened, too.
        const { api_keys } = await client.listApiKeys()
        try {
          for (const { id, current } of api_keys) if (!current) await endOne(id)
        } finally {
          await load()
        }
      },
    })
  const makeKey = async (data: FormData) => {
    const username = session.state.delivery_email
    const { api_key } = await client.fetchApiKey({ username, password: String(data.get('password')) })
    await load()
    showToCopy(
      'Your new key',
      `It is shown this once. A program that has it acts as you: ${username} and the key are what it asks for.`,
      [{ label: 'API key', value: api_key }],
    )
  }
  return (
    <>
      <p class="quiet">Browsers that are signed in, and keys that programs use. Each can be ended by itself.</p>
      <Problem of={problem} />
      <ul class="sessions">
        {answer.value?.api_keys.map(({ id, name, created_at, last_used_at, current }) => (
          <li key={id}>
            <span class="name">
              {name}
              {current && <span class="quiet small"> (this browser)</span>}
            </span>
            <span class="quiet small">
              begun {longAgo(created_at)}
              {last_used_at !== null && `, used ${longAgo(last_used_at)}`}
            </span>
            <button type="button" aria-label={`End ${name}`} onClick={() => end(id)}>
              End
            </button>
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <button type="button" onClick={endOthers}>
          End all others
        </button>
      )}
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
