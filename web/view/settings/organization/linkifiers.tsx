import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Problem } from '../../parts/notices.tsx'
import { rich } from '../../parts/rich.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { TryText } from './try-text.tsx'
import { useOrder } from './use-order.ts'

/** Patterns whose matches become links in messages. If two match the same text, the first one counts. */
export function Linkifiers() {
  const session = useSession()
  const { client } = session
  const open = useSignal(0)
  const {
    rows: linkifiers,
    move,
    problem,
  } = useOrder(session.read('organization').realm_linkifiers, (ids) =>
    client.reorderLinkifiers({ ordered_linkifier_ids: ids }),
  )
  const remove = (filter_id: number, pattern: string) =>
    confirm({
      title: pageTexts.linkifiers.removeTitle,
      text: pageTexts.linkifiers.removeText(pattern),
      action: pageTexts.common.remove,
      run: () => client.removeLinkifier({ filter_id }),
    })
  return (
    <>
      <p class="quiet">{rich(pageTexts.linkifiers.intro, { code: (inside) => <code>{inside}</code> })}</p>
      <ActionForm action={pageTexts.linkifiers.add} run={(data) => client.createLinkifier(linkifierIn(data))}>
        <LinkifierFields />
      </ActionForm>
      <ol class="settings-list">
        {linkifiers.map(({ id, pattern, url_template }, at) => (
          <li key={id} class="bot">
            <span class="name">
              <code>{pattern}</code>
              <span class="quiet small">{url_template}</span>
            </span>
            <button
              type="button"
              disabled={at === 0}
              aria-label={pageTexts.common.moveUp(pattern)}
              onClick={() => move(id, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              disabled={at === linkifiers.length - 1}
              aria-label={pageTexts.common.moveDown(pattern)}
              onClick={() => move(id, 1)}
            >
              ↓
            </button>
            <button
              type="button"
              aria-expanded={open.value === id}
              aria-label={pageTexts.common.editName(pattern)}
              onClick={() => (open.value = open.value === id ? 0 : id)}
            >
              {pageTexts.common.edit}
            </button>
            <button type="button" aria-label={texts.common.removeName(pattern)} onClick={() => remove(id, pattern)}>
              {pageTexts.common.remove}
            </button>
            {open.value === id && (
              // Saved together, because they describe the same groups.
              <ActionForm
                action={texts.common.save}
                onCancel={() => (open.value = 0)}
                run={async (data) => {
                  await client.updateLinkifier({ filter_id: id, ...linkifierIn(data) })
                  open.value = 0
                }}
              >
                <LinkifierFields pattern={pattern} url_template={url_template} />
              </ActionForm>
            )}
          </li>
        ))}
      </ol>
      <Problem of={problem} />
      {linkifiers.length === 0 && <p class="quiet">{pageTexts.linkifiers.empty}</p>}
      <TryText />
    </>
  )
}

const linkifierIn = (data: FormData) => ({
  pattern: textIn(data, 'pattern'),
  url_template: textIn(data, 'url_template'),
})

function LinkifierFields({ pattern, url_template }: { pattern?: string; url_template?: string }) {
  return (
    <>
      <FormField
        name="pattern"
        label={pageTexts.linkifiers.pattern}
        required
        spellcheck={false}
        placeholder={pageTexts.linkifiers.patternExample}
        defaultValue={pattern}
      />
      <FormField
        name="url_template"
        label={pageTexts.linkifiers.template}
        required
        spellcheck={false}
        placeholder={pageTexts.linkifiers.templateExample}
        defaultValue={url_template}
      />
    </>
  )
}
