import { useSignal } from '@preact/signals'
import { archiveUpload, uploadArchive } from '../../../model/writing/archive-upload.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { FileInput } from '../../parts/file-input.tsx'
import { Problem, reasonOf } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { DiscardButton } from './discard-button.tsx'
import type { StepProps } from './types.ts'

/** An upload in progress. After a reload, the same file continues it. */
export function UploadingJob({ job, mostBytes, load }: StepProps & { mostBytes: number }) {
  const problem = useSignal('')
  const session = useSession()
  const own = archiveUpload(session).value
  const sent = own?.sent ?? job.received
  const percent = Math.floor((100 * sent) / job.size)
  const resume = async (file: File | undefined) => {
    if (!file) return
    problem.value = file.size === job.size ? '' : pageTexts.imports.otherFile(job.file)
    if (problem.value !== '') return
    try {
      await uploadArchive(session, file, job.upload_url!, mostBytes)
    } catch (error) {
      problem.value = reasonOf(error)
    }
    await load()
  }
  return (
    <div class="card import-start">
      <p>
        {pageTexts.imports.uploading(job.file, percent)}
        <progress value={sent} max={job.size} aria-label={pageTexts.imports.uploading(job.file, percent)} />
      </p>
      {!own && job.upload_url !== null && (
        <label>
          {pageTexts.imports.resume}
          <FileInput onChange={(event) => void resume(event.currentTarget.files?.[0])} />
        </label>
      )}
      <Problem of={problem} />
      <DiscardButton load={load} />
    </div>
  )
}
