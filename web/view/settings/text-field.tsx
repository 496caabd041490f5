import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { pageTexts } from '../../texts/page-texts.ts'
import { type FieldProps, SaveState } from '../parts/field.tsx'
import { isComposed } from '../parts/key-name.ts'
import { useSaving } from '../parts/use-saving.ts'

interface TextProps extends FieldProps<string> {
  value: string
  maxLength?: number
  isNumber?: boolean
  /** Whether it is a day, as 2026-11-21. */
  isDate?: boolean
  /** Whether it may have more than one line. */
  multiline?: boolean
  /** Why it cannot be changed, if it cannot. */
  whyNot?: string | false
}

/** A text field that is saved when it loses focus. Escape restores the previous text. */
export function TextField({ label, about, maxLength, isNumber, isDate, multiline, whyNot, ...props }: TextProps) {
  const id = useId()
  const { text, elsewhere, problem, saved, write, leave, undo } = useText(props)
  const attributes = {
    id,
    maxLength,
    value: text,
    disabled: Boolean(whyNot),
    onInput: (event: { currentTarget: { value: string } }) => write(event.currentTarget.value),
    onChange: leave,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isComposed(event) && undo()) event.stopPropagation()
    },
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {(whyNot || about) && <p class="quiet small">{whyNot || about}</p>}
      {multiline ? (
        <textarea rows={4} {...attributes} />
      ) : isDate ? (
        <input type="date" {...attributes} />
      ) : (
        <input inputMode={isNumber ? 'numeric' : undefined} {...attributes} />
      )}
      {elsewhere !== undefined && (
        <p class="quiet small" role="status">
          {pageTexts.fields.changedElsewhere(elsewhere)}
        </p>
      )}
      <SaveState problem={problem} saved={saved} />
    </div>
  )
}

/** The box's text: the server's value until the reader types, then the typed text until it is saved. */
function useText({ value, save }: Pick<TextProps, 'value' | 'save'>) {
  const text = useSignal(value)
  const elsewhere = useSignal<string | undefined>(undefined)
  /** The text when there was nothing to save. */
  const base = useRef(value)
  /** The text being saved. */
  const sent = useRef<string | undefined>(undefined)
  const take = (present: string) => {
    text.value = present
    base.current = present
    elsewhere.value = undefined
  }
  useEffect(() => {
    if ([base.current, sent.current, value].includes(text.peek())) take(value)
    else elsewhere.value = value
  }, [value])
  const { problem, saved, run } = useSaving(async (written: string) => {
    sent.current = written
    try {
      await save(written)
      // The field may already contain the server's version.
      if (text.peek() === written) base.current = written
      elsewhere.value = undefined
    } finally {
      sent.current = undefined
    }
  })
  return {
    text: text.value,
    elsewhere: elsewhere.value,
    problem: problem.value,
    saved: saved.value,
    write: (now: string) => {
      text.value = now
      saved.value = false
    },
    leave: () => {
      if (text.value !== base.current) run(text.value)
    },
    undo: (): boolean => {
      if (text.value === base.current) return false
      take(elsewhere.value ?? base.current)
      problem.value = ''
      return true
    },
  }
}
