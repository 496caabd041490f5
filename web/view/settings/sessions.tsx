import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { attempt, reasonOf } from '../parts/notices.tsx'
import { ago } from '../parts/times.ts'
import { useSession } from '../session-context.ts'

type Keys = Awaited<ReturnType<ReturnType<typeof useSession>['client']['listApiKeys']>>['api_keys']

/** Where the account is signed in, and what can be ended. */
export function Sessions() {
  const { client } = useSession()
  const keys = useSignal<Keys>([])
  const problem = useSignal('')
  const load = async () => {
    try {
      keys.value = (await client.listApiKeys()).api_keys
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  useEffect(() => void load(), [client])
  const end = (key_id: number) =>
    attempt(async () => {
      await client.endApiKey({ key_id })
      await load()
    })
  return (
    <>
      <p class="quiet">Browsers that are signed in, and keys that programs use. Each can be ended by itself.</p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <ul class="sessions">
        {keys.value.map((key) => (
          <li key={key.id}>
            <span class="name">{key.name}</span>
            <span class="quiet small">since {ago(key.created_at)}</span>
            <button type="button" aria-label={`End ${key.name}`} onClick={() => end(key.id)}>
              End
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
