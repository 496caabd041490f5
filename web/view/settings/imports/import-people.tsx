import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { PersonRow } from './person-row.tsx'
import type { Change, ImportPerson, Report } from './types.ts'

const kinds = ['stub', 'new', 'existing', 'skipped'] as const

/** The people in the export, and which account each of them gets. */
export function ImportPeople({ report, change }: { report: Report; change: Change }) {
  const session = useSession()
  const how = useSignal<ImportPerson['how'] | ''>('')
  const people = useSignal<readonly ImportPerson[]>([])
  const next = useSignal<number | null>(null)
  const problem = useSignal('')
  const more = async (after?: number) => {
    const asked = how.value
    try {
      const page = await session.client.listImportPeople({
        ...(asked !== '' && { how: asked }),
        ...(after !== undefined && { after }),
      })
      if (how.value !== asked) return
      people.value = after === undefined ? page.people : [...people.value, ...page.people]
      next.value = page.next
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  useEffect(() => void more(), [how.value])
  const { matched, created, stubs, skipped } = report.people
  const counts = { existing: matched, new: created, stub: stubs, skipped }
  const emails = session.read('users').realm_users.map(({ delivery_email, email }) => delivery_email ?? email)
  return (
    <>
      <p class="quiet">{pageTexts.imports.peopleText}</p>
      <p class="buttons">
        <label>
          {pageTexts.common.show}{' '}
          <select value={how.value} onChange={(event) => (how.value = event.currentTarget.value as typeof how.value)}>
            <option value="">{pageTexts.imports.everyone}</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {`${pageTexts.imports.how[kind]} (${counts[kind]})`}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Problem of={problem} />
      <datalist id="import-accounts">
        {emails.map((email) => (
          <option key={email} value={email} />
        ))}
      </datalist>
      <ul class="settings-list import-people">
        {people.value.map((person) => (
          <PersonRow key={person.nth} person={person} change={change} />
        ))}
      </ul>
      {next.value !== null && (
        <button type="button" onClick={() => void more(next.value!)}>
          {pageTexts.audit.more}
        </button>
      )}
    </>
  )
}
