import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import '../../../styles/imports.css'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Problem } from '../../parts/notices.tsx'
import { useAnswer } from '../use-answer.ts'
import { ImportList } from './import-list.tsx'
import { PrepareImport } from './prepare-import.tsx'
import { RunningJob } from './running-job.tsx'
import { StartImport } from './start-import.tsx'
import type { Imports } from './types.ts'
import { UploadingJob } from './uploading-job.tsx'

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 1000

/** Imports from other servers, for owners: prepares one, shows its progress, and lists the earlier ones. */
export function ImportsPage() {
  const { answer, problem, load } = useAnswer((client) => client.listImports())
  const opened = useSignal<number | undefined>(undefined)
  /** The newest finished import when the list was last read; null if there was none. */
  const newest = useRef<number | null | undefined>(undefined)
  const job = answer.value?.job ?? undefined
  const isWorking = job !== undefined && ['checking', 'importing', 'undoing'].includes(job.phase)
  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(() => void load(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isWorking])
  useEffect(() => {
    if (!answer.value) return
    const done = answer.value.imports.find(({ finished_at }) => finished_at !== null)?.id ?? null
    // The report of an import that has just finished.
    if (newest.current !== undefined && done !== null && done !== newest.current) opened.value = done
    newest.current = done
  }, [answer.value])
  return (
    <>
      <p class="quiet">{pageTexts.imports.intro}</p>
      <Problem of={problem} />
      {answer.value && <Step answer={answer.value} load={load} />}
      {answer.value && <ImportList imports={answer.value.imports} opened={opened} isFree={!job} load={load} />}
    </>
  )
}

function Step({ answer, load }: { answer: Imports; load(): Promise<void> }) {
  const { job } = answer
  if (!job) return <StartImport answer={answer} load={load} />
  if (job.phase === 'uploading') return <UploadingJob job={job} mostBytes={answer.max_piece_bytes} load={load} />
  if (job.phase === 'ready' || job.phase === 'failed') return <PrepareImport key={job.id} job={job} load={load} />
  return <RunningJob job={job} load={load} />
}
