import { useSignal } from '@preact/signals'
import { confirm } from '../../parts/confirm.tsx'
import { Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { TryText } from './try-text.tsx'
import { useOrder } from './use-order.ts'

/** Patterns whose matches become links in messages; where two match the same text, the first counts. */
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
      title: 'Remove this linkifier?',
      text: `What matches ${pattern} is no link any more in new messages. Those that are there stay as they are.`,
      action: 'Remove',
      run: () => client.removeLinkifier({ filter_id }),
    })
  return (
    <>
      <p class="quiet">
        What matches a pattern becomes a link: <code>#(?P&lt;id&gt;[0-9]+)</code> with{' '}
        <code>https://example.com/issues/&#123;id&#125;</code> makes one of each #123.
      </p>
      <ActionForm action="Add linkifier" run={(data) => client.createLinkifier(linkifierIn(data))}>
        <LinkifierFields />
      </ActionForm>
      <ol class="settings-list">
        {linkifiers.map(({ id, pattern, url_template }, at) => (
          <li key={id} class="bot">
            <span class="name">
              <code>{pattern}</code>
              <span class="quiet small">{url_template}</span>
            </span>
            <button type="button" disabled={at === 0} aria-label={`Move ${pattern} up`} onClick={() => move(id, -1)}>
              ↑
            </button>
            <button
              type="button"
              disabled={at === linkifiers.length - 1}
              aria-label={`Move ${pattern} down`}
              onClick={() => move(id, 1)}
            >
              ↓
            </button>
            <button
              type="button"
              aria-expanded={open.value === id}
              aria-label={`Change ${pattern}`}
              onClick={() => (open.value = open.value === id ? 0 : id)}
            >
              Change
            </button>
            <button type="button" aria-label={`Remove ${pattern}`} onClick={() => remove(id, pattern)}>
              Remove
            </button>
            {open.value === id && (
              // Together: the groups of one are those of the other.
              <ActionForm
                action="Save"
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
      {linkifiers.length === 0 && <p class="quiet">There are none yet.</p>}
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
      <label>
        Pattern
        <input
          name="pattern"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="#(?P<id>[0-9]+)"
          defaultValue={pattern}
        />
      </label>
      <label>
        Web address
        <input
          name="url_template"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="https://example.com/issues/{id}"
          defaultValue={url_template}
        />
      </label>
    </>
  )
}
