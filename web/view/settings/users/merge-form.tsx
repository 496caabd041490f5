import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { compareNames } from '../../../model/state/compare-names.ts'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { DialogFooter, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notices.tsx'

/** Asks which account gets everything of an imported one. */
export const openMerge = (session: Session, { user_id, full_name }: Person): void =>
  openDialog(pageTexts.users.mergeTitle(isolated(full_name)), <MergeForm session={session} user_id={user_id} />)

function MergeForm({ session, user_id }: { session: Session; user_id: number }) {
  const chosen = useSignal('')
  const { problem, run } = useDialogWork()
  const people = session
    .read('users')
    .realm_users.filter((person) => !person.is_bot && person.user_id !== user_id)
    .sort((a, b) => compareNames(a.full_name, b.full_name))
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void run(() => session.client.mergeUser({ user_id, into: Number(chosen.value) }))
  }
  return (
    <form onSubmit={onSubmit}>
      <p>{pageTexts.users.mergeText}</p>
      <label>
        {pageTexts.users.mergeInto}
        <select required value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          <option value="" />
          {people.map((person) => (
            <option key={person.user_id} value={String(person.user_id)}>
              {`${person.full_name} (${person.delivery_email ?? person.email})`}
            </option>
          ))}
        </select>
      </label>
      <Problem of={problem} />
      <DialogFooter action={pageTexts.users.mergeAction} />
    </form>
  )
}
