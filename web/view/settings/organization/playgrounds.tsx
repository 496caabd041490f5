import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'

/** Websites that run code from messages. */
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
      <p class="quiet">{pageTexts.playgrounds.intro}</p>
      <ActionForm action={pageTexts.playgrounds.add} run={add}>
        <FormField
          name="language"
          label={pageTexts.playgrounds.language}
          required
          maxLength={40}
          placeholder={pageTexts.playgrounds.languageExample}
        />
        <FormField
          name="name"
          label={pageTexts.common.name}
          required
          maxLength={100}
          placeholder={pageTexts.playgrounds.nameExample}
        />
        <FormField
          name="url_template"
          label={pageTexts.playgrounds.template}
          required
          placeholder={pageTexts.playgrounds.templateExample}
        />
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
              aria-label={texts.common.removeName(name)}
              onClick={() => attempt(() => client.removePlayground({ playground_id: id }))}
            >
              {pageTexts.common.remove}
            </button>
          </li>
        ))}
      </ul>
      {playgrounds.length === 0 && <p class="quiet">{pageTexts.playgrounds.empty}</p>}
    </>
  )
}
