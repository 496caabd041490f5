import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { reasonOf } from '../parts/notices.tsx'

interface FieldProps<T> {
  label: string
  /** One sentence of what it does. */
  about?: string
  save(value: T): Promise<unknown>
}

/** Saves a value, and says beside the field that it was saved, or why not. */
export function useSaving<T>(save: (value: T) => Promise<unknown>) {
  const problem = useSignal('')
  const saved = useSignal(false)
  const run = async (value: T) => {
    try {
      await save(value)
      problem.value = ''
      saved.value = true
    } catch (error) {
      problem.value = reasonOf(error)
      saved.value = false
    }
  }
  return { problem, saved, run: (value: T) => void run(value) }
}

/** As `useSaving`, with the value to show: the new one from the choice on, the present one again where it is refused. */
function useShown<T>(value: T, save: (value: T) => Promise<unknown>) {
  const shown = useSignal(value)
  useEffect(() => {
    shown.value = value
  }, [value])
  const saving = useSaving(async (now: T) => {
    shown.value = now
    await save(now).catch((error: unknown) => {
      shown.value = value
      throw error
    })
  })
  return { shown, ...saving }
}

export function SaveState({ problem, saved }: { problem: string; saved: boolean }) {
  return (
    <span class={problem ? 'problem' : 'quiet small'} role="status">
      {problem || (saved ? 'Saved' : '')}
    </span>
  )
}

export function CheckField({ label, about, value, save }: FieldProps<boolean> & { value: boolean }) {
  const { shown, problem, saved, run } = useShown(value, save)
  return (
    <div class="field">
      <label class="choice">
        <input type="checkbox" checked={shown.value} onChange={(event) => run(event.currentTarget.checked)} />
        <span>
          {label}
          {about && <span class="quiet small">{about}</span>}
        </span>
      </label>
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}

interface ChoiceProps<T> extends FieldProps<T> {
  value: T
  options: readonly (readonly [value: T, label: string])[]
}

export function ChoiceField<T extends string | number>({ label, about, value, options, save }: ChoiceProps<T>) {
  const { shown, problem, saved, run } = useShown(value, save)
  const id = useId()
  const choose = (text: string) => {
    const chosen = options.find(([option]) => String(option) === text)
    if (chosen) run(chosen[0])
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {about && <p class="quiet small">{about}</p>}
      <select id={id} value={String(shown.value)} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={String(option)}>
            {text}
          </option>
        ))}
      </select>
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}

interface TextProps extends FieldProps<string> {
  value: string
  maxLength?: number
  isNumber?: boolean
  /** Whether it is a day, as 2026-11-21. */
  isDate?: boolean
  /** Whether it may have more than one line. */
  multiline?: boolean
}

/** A text, saved when it is left. */
export function TextField({ label, about, value, maxLength, isNumber, isDate, multiline, save }: TextProps) {
  const { problem, saved, run } = useSaving(save)
  const id = useId()
  const onChange = (event: { currentTarget: { value: string } }) => run(event.currentTarget.value)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {about && <p class="quiet small">{about}</p>}
      {multiline ? (
        <textarea id={id} rows={4} defaultValue={value} maxLength={maxLength} onChange={onChange} />
      ) : isDate ? (
        <input id={id} type="date" defaultValue={value} onChange={onChange} />
      ) : (
        <input
          id={id}
          inputMode={isNumber ? 'numeric' : undefined}
          defaultValue={value}
          maxLength={maxLength}
          onChange={onChange}
        />
      )}
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
