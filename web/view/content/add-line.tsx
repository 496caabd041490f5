import { useSignal } from '@preact/signals'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { attempt } from '../parts/notices.tsx'

interface AddLineProps {
  label: string
  /** Adds the text. After an error, it stays in the box. Undefined if the entry already exists. */
  add(text: string): Promise<unknown> | undefined
}

/** The box below a poll or a list of tasks that adds to it. */
export function AddLine({ label, add }: AddLineProps) {
  const text = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const written = text.value
    if (written.trim() === '') return
    const adding = add(written.trim())
    if (!adding) return
    text.value = ''
    attempt(async () => {
      try {
        await adding
      } catch (error) {
        // Text typed since then takes precedence.
        if (text.value === '') text.value = written
        throw error
      }
    })
  }
  return (
    <form onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button type="submit">{pieceTexts.widgets.add}</button>
    </form>
  )
}
