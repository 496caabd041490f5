import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { copyText } from './copy-text.ts'
import { closeDialog, openDialog } from './dialog.tsx'
import { reasonOf } from './notices.tsx'

/** A dialog with links or keys that somebody takes along from here. */
export function showToCopy(
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
          Done
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
function CopiedText({ label, value }: CopiedTextProps) {
  // Notices are behind the dialog.
  const said = useSignal('')
  const copy = () =>
    copyText(value).then(
      () => (said.value = 'It is copied.'),
      (error: unknown) => (said.value = `${reasonOf(error)} Mark the text and copy it.`),
    )
  return (
    <div class="copied-text">
      <label>
        {label}
        <input readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        Copy
      </button>
      <span class="quiet small" role="status">
        {said.value}
      </span>
    </div>
  )
}
