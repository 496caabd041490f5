import { pageTexts } from '../../../texts/page-texts.ts'
import { DiscardButton } from './discard-button.tsx'
import type { StepProps } from './types.ts'

/** What the server is doing, and how far it is. */
export function RunningJob({ job, load }: StepProps) {
  const { phase, file, done, total, step } = job
  const title =
    phase === 'checking'
      ? pageTexts.imports.checking(file)
      : phase === 'undoing'
        ? pageTexts.imports.undoing(file)
        : pageTexts.imports.importing(file)
  const isFiles = step === 'downloaded'
  const amount = isFiles ? pageTexts.imports.files(done) : pageTexts.imports.messages(done)
  return (
    <div class="card import-start">
      <p role="status">{title}</p>
      <progress {...(total !== null && { value: done, max: total })} aria-label={title} />
      <p class="quiet">
        {done > 0 && (total === null ? amount : `${amount} / ${total}`)} {pageTexts.imports.continues}
      </p>
      {phase === 'checking' && <DiscardButton load={load} />}
    </div>
  )
}
