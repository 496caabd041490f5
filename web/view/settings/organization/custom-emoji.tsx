import { hasPermission } from '../../../../src/client/index.ts'
import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { FileInput } from '../../parts/file-input.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** The organization's custom emoji. */
export function CustomEmoji() {
  const session = useSession()
  const state = session.read('organization', 'users', 'groups')
  const emoji = Object.values(state.realm_emoji).filter(({ deactivated }) => !deactivated)
  const remove = (name: string) =>
    confirm({
      title: pageTexts.emoji.deleteTitle(name),
      text: pageTexts.emoji.deleteText,
      action: pageTexts.common.delete,
      run: () => session.client.deactivateCustomEmoji({ emoji_name: name }),
    })
  return (
    <>
      {hasPermission(state, 'realm_can_add_custom_emoji_group') && <NewEmoji />}
      {emoji.length === 0 && <p class="quiet">{pageTexts.emoji.empty}</p>}
      <ul class="settings-list">
        {emoji.map(({ id, name, source_url, author_id }) => (
          <li key={id}>
            <img class="emoji" src={source_url} alt="" width={28} height={28} />
            <span class="name">
              :{name}:
              {author_id !== null && (
                <span class="quiet small">{pageTexts.emoji.by(isolated(nameOf(session, author_id)))}</span>
              )}
            </span>
            {(state.is_admin || author_id === state.user_id) && (
              <button type="button" aria-label={pageTexts.common.deleteName(name)} onClick={() => remove(name)}>
                {pageTexts.common.delete}
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
  const add = (data: FormData) =>
    client.uploadCustomEmoji({ emoji_name: textIn(data, 'name'), filename: data.get('picture') as File })
  return (
    <ActionForm action={pageTexts.emoji.add} run={add}>
      <label>
        {pageTexts.common.name}
        <input name="name" required maxLength={60} placeholder={pageTexts.emoji.nameExample} />
      </label>
      <label>
        {pageTexts.emoji.picture}
        <FileInput name="picture" required accept="image/png,image/gif,image/jpeg,image/webp" />
      </label>
    </ActionForm>
  )
}
