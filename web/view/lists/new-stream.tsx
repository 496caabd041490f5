import { useSignal } from '@preact/signals'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** A form that makes a stream, with its maker in it. */
export function NewStream({ onDone }: { onDone(): void }) {
  const session = useSession()
  const { can_create_private_streams, can_create_public_streams } = session.read('organization')
  const problem = useSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const name = String(form.get('name')).trim()
    try {
      await session.client.subscribe({
        subscriptions: [{ name, description: String(form.get('description')).trim() }],
        invite_only: form.get('private') === 'on',
      })
      onDone()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <form class="card new-stream" onSubmit={(event) => void submit(event)}>
      <label>
        Name
        <input name="name" required maxLength={session.state.max_stream_name_length} autofocus />
      </label>
      <label>
        What it is about
        <input name="description" maxLength={session.state.max_stream_description_length} />
      </label>
      <label class="choice">
        <input
          type="checkbox"
          name="private"
          disabled={!can_create_private_streams}
          defaultChecked={!can_create_public_streams}
        />
        Private: only who is invited sees that it exists
      </label>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <footer>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Create
        </button>
      </footer>
    </form>
  )
}
