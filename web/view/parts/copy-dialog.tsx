import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { pageTexts } from '../../texts/page-texts.ts'
import { copyText } from './copy-text.ts'
import { closeDialog, openDialog } from './dialog.tsx'
import { reasonOf } from './notices.tsx'

/** A dialog with links or keys to copy. */
export function openCopyDialog(
  title: ComponentChildren,
  about: ComponentChildren,
  texts: readonly CopiedTextProps[],
): void {
  openDialog(
    title,
    <>
      <p>{about}</p>
      {texts.map(({ label, value }) => (
        <CopiedText key={value} label={label} value={value} />
      ))}
      <footer>
        <button type="button" class="primary" onClick={closeDialog}>
          {pageTexts.copy.done}
        </button>
      </footer>
    </>,
  )
}

interface CopiedTextProps {
  label: string
  value: string
}

/** A text to be copied, such as a link or a key. */
export function CopiedText({ label, value }: CopiedTextProps) {
  // Notices are behind the dialog.
  const said = useSignal('')
  const copy = () =>
    copyText(value).then(
      () => (said.value = pageTexts.copy.copied),
      (error: unknown) => (said.value = pageTexts.copy.selectAndCopy(reasonOf(error))),
    )
  const id = useId()
  const select = (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => event.currentTarget.select()
  const field = { id, value, readOnly: true, onFocus: select }
  return (
    <div class="copied-text">
      <label for={id}>{label}</label>
      {value.includes('\n') ? <textarea {...field} rows={value.split('\n').length} /> : <input {...field} />}
      <button type="button" aria-label={pageTexts.copy.copyNamed(label)} onClick={() => void copy()}>
        {pageTexts.copy.copy}
      </button>
      <span class="quiet small" role="status">
        {said.value}
      </span>
    </div>
  )
}
