import { useSession } from '../session-context.ts'
import { ActionForm, textIn } from '../settings/action-form.tsx'

/** A form that makes a stream, with its maker in it. */
export function NewStream({ onDone }: { onDone(): void }) {
  const session = useSession()
  const { can_create_private_streams, can_create_public_streams } = session.read('organization')
  const create = async (data: FormData) => {
    await session.client.subscribe({
      subscriptions: [{ name: textIn(data, 'name'), description: textIn(data, 'description') }],
      invite_only: data.get('private') === 'on',
    })
    onDone()
  }
  return (
    <ActionForm action="Create" run={create} onCancel={onDone}>
      <label>
        Name
        <input name="name" required maxLength={session.state.max_stream_name_length} />
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
    </ActionForm>
  )
}
