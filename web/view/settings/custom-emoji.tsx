import { useSignal } from '@preact/signals'
import { hasPermission } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { confirm } from '../parts/confirm.tsx'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** The pictures that the organization uses as emoji. */
export function CustomEmoji() {
  const session = useSession()
  const state = session.read('organization', 'users', 'groups')
  const emoji = Object.values(state.realm_emoji).filter(({ deactivated }) => !deactivated)
  const remove = (name: string) =>
    confirm({
      title: `Delete :${name}:?`,
      text: 'Messages and reactions that have it keep it. Nobody can use it from now on, and the name is free again.',
      action: 'Delete',
      run: () => session.client.deactivateCustomEmoji({ emoji_name: name }),
    })
  return (
    <>
      {hasPermission(state, 'realm_can_add_custom_emoji_group') && <NewEmoji />}
      {emoji.length === 0 && <p class="quiet">There are none yet.</p>}
      <ul class="settings-list">
        {emoji.map(({ id, name, source_url, author_id }) => (
          <li key={id}>
            <img class="emoji" src={source_url} alt="" width={28} height={28} />
            <span class="name">
              :{name}:{author_id !== null && <span class="quiet small">by {nameOf(session, author_id)}</span>}
            </span>
            {(state.is_admin || author_id === state.user_id) && (
              <button type="button" aria-label={`Delete ${name}`} onClick={() => remove(name)}>
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function NewEmoji() {
  const { client } = useSession()
  const problem = useSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const data = new FormData(form)
    try {
      await client.uploadCustomEmoji({
        emoji_name: String(data.get('name')).trim(),
        filename: data.get('picture') as File,
      })
      problem.value = ''
      form.reset()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <form class="card new-stream" onSubmit={(event) => void submit(event)}>
      <label>
        Name
        <input name="name" required maxLength={60} placeholder="happy_cat" />
      </label>
      <label>
        Picture
        <input name="picture" type="file" required accept="image/png,image/gif,image/jpeg,image/webp" />
      </label>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <footer>
        <button type="submit" class="primary">
          Add emoji
        </button>
      </footer>
    </form>
  )
}
