import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { serverUrl } from '../../../model/here.ts'
import { whenPeopleKnown } from '../../../model/reading/people.ts'
import type { Session } from '../../../model/state/session.ts'
import { folded } from '../../../model/writing/matching.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { type AuditEntry, Entry } from './audit-entry.tsx'
import { actionName } from './audit-words.ts'

const PAGE = 50

/** Actions that owners look for most. */
const usual = ['signIn', 'updateUser', 'deactivateUser', 'updateOrganization', 'deleteMessage', 'updateStream'] as const

interface Filter {
  actor_id?: number
  action?: string
  since?: number
  until?: number
}

/** What people and programs did in the organization, for its owners. */
export function Audit() {
  const session = useSession()
  const filter = useSignal<Filter>({})
  const entries = useSignal<readonly AuditEntry[] | undefined>(undefined)
  const next = useSignal<number | null>(null)
  const problem = useSignal('')
  const load = async (before?: number) => {
    const asked = filter.value
    try {
      const page = await session.client.listAudit({ ...asked, count: PAGE, ...(before !== undefined && { before }) })
      // A response is out of date if the filter has changed since.
      if (filter.value !== asked) return
      entries.value = before === undefined ? page.entries : [...(entries.value ?? []), ...page.entries]
      next.value = page.next
      problem.value = ''
    } catch (error) {
      if (filter.value === asked) problem.value = reasonOf(error)
    }
  }
  useEffect(() => void load(), [filter.value])
  const link = (format: 'csv' | 'jsonl') =>
    `${serverUrl}/json/audit/export?${new URLSearchParams({ ...textsOf(filter.value), format })}`
  return (
    <>
      <p class="quiet">{pageTexts.audit.intro}</p>
      <Filters onChange={(chosen) => (filter.value = chosen)} />
      <p class="buttons">
        <button type="button" onClick={() => void load()}>
          {pageTexts.bots.refresh}
        </button>
        <a class="button" href={link('csv')} download="audit.csv">
          {pageTexts.audit.exportCsv}
        </a>
        <a class="button" href={link('jsonl')} download="audit.jsonl">
          {pageTexts.audit.exportLines}
        </a>
      </p>
      <Problem of={problem} />
      <ul class="addresses audit">
        {entries.value?.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {entries.value?.length === 0 && <p class="quiet">{pageTexts.audit.empty}</p>}
      {next.value !== null && (
        <button type="button" onClick={() => void load(next.value ?? undefined)}>
          {pageTexts.audit.more}
        </button>
      )}
    </>
  )
}

const textsOf = (filter: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))

function Filters({ onChange }: { onChange: (filter: Filter) => void }) {
  const session = useSession()
  const problem = useSignal('')
  const read = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '').trim()
    const person = text('person')
    const actor_id = person === '' ? undefined : idOf(session, person)
    const isUnknown = person !== '' && actor_id === undefined
    problem.value = isUnknown && session.isPeopleKnown.peek() ? pageTexts.audit.noPerson : ''
    if (isUnknown) {
      whenPeopleKnown(session, () => read(form))
      return
    }
    const [since, until] = [dayOf(text('since'), 0), dayOf(text('until'), 1)]
    onChange({
      ...(actor_id !== undefined && { actor_id }),
      ...(text('action') !== '' && { action: text('action') }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    })
  }
  return (
    <form
      class="beside"
      aria-label={pageTexts.audit.filters}
      onChange={(event) => read(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault()
        read(event.currentTarget)
      }}
    >
      <label>
        {pageTexts.audit.action}
        <select name="action">
          <option value="">{pageTexts.audit.allActions}</option>
          {usual.map((action) => (
            <option key={action} value={action}>
              {actionName(action)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {pageTexts.audit.person}
        <input name="person" type="search" aria-describedby="audit-person" />
      </label>
      <label>
        {pageTexts.audit.since}
        <input name="since" type="date" />
      </label>
      <label>
        {pageTexts.audit.until}
        <input name="until" type="date" />
      </label>
      <p id="audit-person" class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  )
}

/** Returns the account with this name or address, as typed. */
function idOf(session: Session, typed: string): number | undefined {
  const { realm_users, realm_non_active_users } = session.read('users')
  const words = folded(typed)
  const isMeant = ({ full_name, delivery_email }: { full_name: string; delivery_email: string | null }) =>
    folded(full_name) === words || folded(delivery_email ?? '') === words
  return [...realm_users, ...realm_non_active_users].find(isMeant)?.user_id
}

/** Returns the start of a day in the reader's time zone, or of a later one, in seconds. */
function dayOf(date: string, later: number): number | undefined {
  if (date === '') return undefined
  const day = new Date(`${date}T00:00`)
  day.setDate(day.getDate() + later)
  return Math.floor(day.getTime() / 1000)
}
