import { useSignal } from '@preact/signals'
import { nameOf } from '../../../model/reading/people.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt, Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'
import { HeldQueue } from './held-queue.tsx'
import { type Report, ReportRow } from './report-row.tsx'

type State = Report['state']

const states = ['open', 'taken', 'closed'] as const satisfies readonly State[]

/** The queue of reported messages, for moderators. */
export function Reports() {
  const session = useSession()
  const state = useSignal<State>('open')
  const older = useSignal<readonly Report[]>([])
  const next = useSignal<number | null>(null)
  const { answer, problem } = useAnswer(async (client) => {
    const page = await client.listReports({ state: state.value })
    older.value = []
    next.value = page.next
    return page
  }, 'reports')
  const showMore = (before: number) =>
    attempt(async () => {
      const page = await session.client.listReports({ state: state.peek(), before })
      older.value = [...older.value, ...page.reports]
      next.value = page.next
    })
  const { counts, reports: newest = [] } = answer.value ?? {}
  const reports = [...newest, ...older.value]
  return (
    <>
      <HeldQueue />
      <p class="quiet">{pageTexts.moderation.intro}</p>
      <p class="buttons">
        <label>
          {pageTexts.common.show}{' '}
          <select value={state.value} onChange={(event) => (state.value = event.currentTarget.value as State)}>
            {states.map((one) => (
              <option key={one} value={one}>
                {pageTexts.moderation.states[one](counts?.[one] ?? 0)}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Problem of={problem} />
      <ul class="settings-list reports" aria-label={pageTexts.sections.moderation}>
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} author={nameOf(session, report.author_id)} />
        ))}
      </ul>
      {answer.value && reports.length === 0 && <p class="quiet">{pageTexts.moderation.empty}</p>}
      {next.value !== null && (
        <button type="button" onClick={() => showMore(next.value!)}>
          {pageTexts.audit.more}
        </button>
      )}
    </>
  )
}
