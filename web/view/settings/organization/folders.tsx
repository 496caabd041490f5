import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { useOrder } from './use-order.ts'

/** Folders that group channels in everyone's sidebar, in the order of the sidebar. */
export function Folders() {
  const session = useSession()
  const { client } = session
  const open = useSignal(0)
  const { channel_folders } = session.read('streams')
  const { rows, move, problem } = useOrder(
    channel_folders.filter(({ is_archived }) => !is_archived),
    // Archived folders keep their places after the others.
    (ids) => client.reorderChannelFolders({ order: [...ids, ...archived.map(({ id }) => id)] }),
  )
  const archived = channel_folders.filter(({ is_archived }) => is_archived)
  const setArchived = (channel_folder_id: number, is_archived: boolean) =>
    client.updateChannelFolder({ channel_folder_id, is_archived })
  const archive = (id: number, name: string) =>
    confirm({
      title: pageTexts.folders.archiveTitle(name),
      text: pageTexts.folders.archiveText,
      action: pageTexts.folders.archive,
      run: () => setArchived(id, true),
    })
  return (
    <>
      <p class="quiet">{pageTexts.folders.intro}</p>
      <ActionForm action={pageTexts.folders.create} run={(data) => client.createChannelFolder(folderIn(data))}>
        <FolderFields />
      </ActionForm>
      <ol class="settings-list">
        {rows.map(({ id, name, description }, at) => (
          <li key={id} class="bot">
            <span class="name">
              {name}
              <span class="quiet small">{description}</span>
            </span>
            <button
              type="button"
              disabled={at === 0}
              aria-label={pageTexts.common.moveUp(name)}
              onClick={() => move(id, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              disabled={at === rows.length - 1}
              aria-label={pageTexts.common.moveDown(name)}
              onClick={() => move(id, 1)}
            >
              ↓
            </button>
            <button
              type="button"
              aria-expanded={open.value === id}
              aria-label={pageTexts.common.editName(name)}
              onClick={() => (open.value = open.value === id ? 0 : id)}
            >
              {pageTexts.common.edit}
            </button>
            <button type="button" aria-label={pageTexts.folders.archiveName(name)} onClick={() => archive(id, name)}>
              {pageTexts.folders.archive}
            </button>
            {open.value === id && (
              <ActionForm
                action={texts.common.save}
                onCancel={() => (open.value = 0)}
                run={async (data) => {
                  await client.updateChannelFolder({ channel_folder_id: id, ...folderIn(data) })
                  open.value = 0
                }}
              >
                <FolderFields name={name} description={description} />
              </ActionForm>
            )}
          </li>
        ))}
        {archived.map(({ id, name }) => (
          <li key={id} class="bot">
            <span class="name quiet">{pageTexts.folders.archived(name)}</span>
            <button
              type="button"
              aria-label={pageTexts.folders.restoreName(name)}
              onClick={() => attempt(() => setArchived(id, false))}
            >
              {pageTexts.folders.restore}
            </button>
          </li>
        ))}
      </ol>
      <Problem of={problem} />
      {channel_folders.length === 0 && <p class="quiet">{pageTexts.folders.empty}</p>}
    </>
  )
}

const folderIn = (data: FormData) => ({ name: textIn(data, 'name'), description: textIn(data, 'description') })

function FolderFields({ name, description }: { name?: string; description?: string }) {
  const { max_channel_folder_name_length, max_channel_folder_description_length } = useSession().state
  return (
    <>
      <FormField
        name="name"
        label={pageTexts.common.name}
        required
        maxLength={max_channel_folder_name_length}
        defaultValue={name}
      />
      <FormField
        name="description"
        label={pageTexts.common.description}
        maxLength={max_channel_folder_description_length}
        defaultValue={description}
      />
    </>
  )
}
