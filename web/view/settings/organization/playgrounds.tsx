import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** Places on the web where the code of a message can be run. */
export function Playgrounds() {
  const session = useSession()
  const { client } = session
  const playgrounds = session.read('organization').realm_playgrounds
  const add = (data: FormData) =>
    client.createPlayground({
      name: textIn(data, 'name'),
      pygments_language: textIn(data, 'language'),
      url_template: textIn(data, 'url_template'),
    })
  return (
    <>
      <p class="quiet">A block of code in one of these languages can be opened there, to run it.</p>
      <ActionForm action="Add playground" run={add}>
        <label>
          Language
          <input name="language" required maxLength={40} placeholder="Python" autocomplete="off" />
        </label>
        <label>
          Name
          <input name="name" required maxLength={100} placeholder="Python playground" autocomplete="off" />
        </label>
        <label>
          Web address, with {'{code}'} for the code
          <input name="url_template" required placeholder="https://example.com/run?code={code}" autocomplete="off" />
        </label>
      </ActionForm>
      <ul class="settings-list">
        {playgrounds.map(({ id, name, pygments_language, url_template }) => (
          <li key={id}>
            <span class="name">
              {pygments_language}: {name}
              <span class="quiet small">{url_template}</span>
            </span>
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => attempt(() => client.removePlayground({ playground_id: id }))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {playgrounds.length === 0 && <p class="quiet">There are none yet.</p>}
    </>
  )
}
