import { notify } from './notices.tsx'

interface CopiedTextProps {
  label: string
  value: string
}

/** A text to be copied, such as a link or a key. */
export function CopiedText({ label, value }: CopiedTextProps) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => notify('It is copied.'),
      () => notify('Copying is not allowed here: mark the text and copy it.'),
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
    </div>
  )
}
