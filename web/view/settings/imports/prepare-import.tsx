import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { DiscardButton } from './discard-button.tsx'
import { ImportPeople } from './import-people.tsx'
import { importProblem } from './import-problem.ts'
import { ImportReport } from './import-report.tsx'
import type { StepProps } from './types.ts'

/** The dry run's report, the people and the options; then the import starts. */
export function PrepareImport({ job, load }: StepProps) {
  const { client } = useSession()
  const problem = useSignal('')
  const attempt = async (work: () => Promise<unknown>) => {
    problem.value = ''
    try {
      await work()
    } catch (error) {
      problem.value = reasonOf(error)
    }
    await load()
  }
  const change = (values: Parameters<typeof client.updateImportJob>[0]) => attempt(() => client.updateImportJob(values))
  const start = (dry_run: boolean) => attempt(() => client.startImportJob({ dry_run }))
  const isUndo = job.import_id !== null
  return (
    <div class="import-plan">
      {job.problem !== null && (
        <p class="problem" role="alert">
          {importProblem(job.problem)}
        </p>
      )}
      {job.report && (
        <>
          <h3>{pageTexts.imports.preview(job.file)}</h3>
          <ImportReport report={job.report} />
          <h3>{pageTexts.imports.people}</h3>
          <ImportPeople change={change} report={job.report} />
          <h3>{pageTexts.imports.options}</h3>
          <label class="form-field">
            {pageTexts.imports.topics}
            <select
              value={job.topics}
              onChange={(event) => void change({ topics: event.currentTarget.value as typeof job.topics })}
            >
              <option value="one">{pageTexts.imports.topicsOne}</option>
              <option value="by-day">{pageTexts.imports.topicsByDay}</option>
              <option value="by-gap">{pageTexts.imports.topicsByGap}</option>
            </select>
          </label>
          <label class="choice">
            <input
              type="checkbox"
              checked={job.download_files}
              onChange={(event) => void change({ download_files: event.currentTarget.checked })}
            />
            {pageTexts.imports.download}
          </label>
        </>
      )}
      <Problem of={problem} />
      <p class="buttons">
        {!isUndo && (
          <button type="button" class={job.checked ? undefined : 'primary'} onClick={() => void start(true)}>
            {pageTexts.imports.checkAgain}
          </button>
        )}
        {!isUndo && job.checked && (
          <button type="button" class="primary" onClick={() => void start(false)}>
            {pageTexts.imports.start}
          </button>
        )}
        <DiscardButton load={load} />
      </p>
      {!isUndo && !job.checked && job.report && <p class="quiet">{pageTexts.imports.changedSince}</p>}
    </div>
  )
}
