import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { closeDialog, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notices.tsx'

/** Asks whether everything personal of a deactivated account is deleted, and says what still has it afterwards. */
export const openErase = (session: Session, { user_id, full_name }: Person): void =>
  openDialog(pageTexts.users.eraseTitle(isolated(full_name)), <EraseForm session={session} user_id={user_id} />)

function EraseForm({ session, user_id }: { session: Session; user_id: number }) {
  const withMessages = useSignal(false)
  const { problem, run } = useDialogWork()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    let files: string[] = []
    const all = withMessages.value
    const actions = {
      erase: true,
      delete_public_channel_messages: all,
      delete_private_channel_messages: all,
      delete_direct_messages: all,
    }
    const erase = async () => {
      const { copies = [] } = await session.client.deactivateUser({ user_id, actions })
      files = copies.map(({ file }) => file).filter(Boolean)
    }
    void run(erase).then((isThere) => isThere && openErased(files))
  }
  return (
    <form onSubmit={onSubmit}>
      <p>{pageTexts.users.eraseText}</p>
      <label>
        <input
          type="checkbox"
          checked={withMessages.value}
          onChange={(event) => (withMessages.value = event.currentTarget.checked)}
        />
        {pageTexts.users.eraseMessages}
      </label>
      <Problem of={problem} />
      <footer>
        <button type="button" onClick={closeDialog}>
          {texts.common.cancel}
        </button>
        <button type="submit" class="primary dangerous">
          {pageTexts.users.eraseAction}
        </button>
      </footer>
    </form>
  )
}

const openErased = (files: readonly string[]): void =>
  openDialog(
    pageTexts.users.erasedTitle,
    <>
      <p>{pageTexts.users.erasedText}</p>
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      <footer>
        <button type="button" class="primary" onClick={closeDialog}>
          {texts.common.close}
        </button>
      </footer>
    </>,
  )
