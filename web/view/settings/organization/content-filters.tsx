import { useSignal } from '@preact/signals'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { attempt, Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { useAnswer } from '../use-answer.ts'

type NewFilter = Parameters<Session['client']['createContentFilter']>[0]
type Kind = NewFilter['kind']
type Act = NewFilter['action']

/** Words and links that the organization doesn't want. */
export function ContentFilters() {
  const { client } = useSession()
  const { answer, problem } = useAnswer((client) => client.listContentFilters(), 'reports')
  const filters = answer.value?.content_filters ?? []
  const add = (data: FormData) =>
    client.createContentFilter({
      kind: textIn(data, 'kind') as Kind,
      pattern: textIn(data, 'pattern'),
      action: textIn(data, 'action') as Act,
      message: textIn(data, 'message'),
    })
  const remove = (content_filter_id: number) => attempt(() => client.removeContentFilter({ content_filter_id }))
  return (
    <>
      <p class="quiet">{pageTexts.contentFilters.intro}</p>
      <ActionForm action={pageTexts.contentFilters.add} run={add}>
        <Choice name="kind" label={pageTexts.contentFilters.kind} options={pageTexts.contentFilters.kinds} />
        <FormField
          name="pattern"
          label={pageTexts.contentFilters.pattern}
          required
          maxLength={200}
          spellcheck={false}
        />
        <Choice name="action" label={pageTexts.contentFilters.action} options={pageTexts.contentFilters.actions} />
        <FormField name="message" label={pageTexts.contentFilters.message} maxLength={300} />
      </ActionForm>
      <Problem of={problem} />
      <ul class="settings-list" aria-label={pageTexts.sections.contentFilters}>
        {filters.map(({ id, kind, pattern, action, message }) => (
          <li key={id}>
            <span class="name">
              <bdi>{pattern}</bdi>
              <span class="quiet small">
                {`${pageTexts.contentFilters.kinds[kind]} · ${pageTexts.contentFilters.actions[action]}`}
                {message !== '' && ` · ${message}`}
              </span>
            </span>
            <button type="button" aria-label={texts.common.removeName(pattern)} onClick={() => remove(id)}>
              {pageTexts.common.remove}
            </button>
          </li>
        ))}
      </ul>
      {answer.value && filters.length === 0 && <p class="quiet">{pageTexts.contentFilters.empty}</p>}
      {filters.length > 0 && <TryFilters />}
    </>
  )
}

function Choice({ name, label, options }: { name: string; label: string; options: Readonly<Record<string, string>> }) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Says which filters match a text. */
function TryFilters() {
  const { client } = useSession()
  const result = useSignal('')
  const test = async (data: FormData) => {
    const { content_filters } = await client.listContentFilters({ content: textIn(data, 'text') })
    const found = content_filters.map(({ pattern }) => pattern).join(', ')
    result.value = found === '' ? pageTexts.contentFilters.noMatch : pageTexts.contentFilters.matching(found)
  }
  return (
    <section aria-labelledby="try-filters">
      <h3 id="try-filters">{pageTexts.contentFilters.try}</h3>
      <ActionForm action={pageTexts.contentFilters.tryAction} keep run={test}>
        <label>
          {pageTexts.linkifiers.tryText}
          <input name="text" required autocomplete="off" />
        </label>
        <div aria-live="polite">{result.value}</div>
      </ActionForm>
    </section>
  )
}
