import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { useShown } from './use-saving.ts'

export interface FieldProps<T> {
  label: string
  /** A sentence that says what it does. */
  about?: string
  save(value: T): Promise<unknown>
}

export function SaveState({ problem, saved }: { problem: string; saved: boolean }) {
  return (
    <span class={problem ? 'problem' : 'quiet small'} role="status">
      {problem || (saved ? pieceTexts.settings.saved : '')}
    </span>
  )
}

interface TickProps {
  value: boolean
  save(value: boolean): Promise<unknown>
  /** Its accessible name, if it differs from the visible text. */
  name?: string
  children: ComponentChildren
}

/** A check box, and whether its last change was saved. */
export function Tick({ value, save, name, children }: TickProps) {
  const { shown, problem, saved, run } = useShown(value, save)
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={shown.value}
          aria-label={name}
          onChange={(event) => run(event.currentTarget.checked)}
        />
        {children}
      </label>
      <SaveState problem={problem.value} saved={saved.value} />
    </>
  )
}

export const CheckField = ({ label, about, value, save }: FieldProps<boolean> & { value: boolean }) => (
  <div class="field">
    <Tick value={value} save={save}>
      <span>
        {label}
        {about && <span class="quiet small">{about}</span>}
      </span>
    </Tick>
  </div>
)

interface ChoiceProps<T> extends FieldProps<T> {
  value: T
  options: readonly (readonly [value: T, label: string])[]
  /** Content beside the choice, for the displayed value. */
  beside?: (value: T) => ComponentChildren
}

export function ChoiceField<T extends string | number>({ label, about, value, options, beside, save }: ChoiceProps<T>) {
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
      <div class="beside">
        <select id={id} value={String(shown.value)} onChange={(event) => choose(event.currentTarget.value)}>
          {/* A program may have set another value. */}
          {!options.some(([option]) => option === shown.value) && <option>{String(shown.value)}</option>}
          {options.map(([option, text]) => (
            <option key={option} value={String(option)}>
              {text}
            </option>
          ))}
        </select>
        {beside?.(shown.value)}
      </div>
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}

interface AddChoiceProps {
  label: string
  /** Shown while nothing is chosen. */
  placeholder: string
  options: readonly (readonly [id: number, name: string])[]
  onAdd(id: number): void
}

/** A select whose choice is added to a list. It never shows a choice itself, even after an error. */
export function AddChoice({ label, placeholder, options, onAdd }: AddChoiceProps) {
  return (
    <select
      aria-label={label}
      value=""
      onChange={({ currentTarget }) => {
        const id = Number(currentTarget.value)
        currentTarget.value = ''
        onAdd(id)
      }}
    >
      <option value="">{placeholder}</option>
      {options.map(([id, name]) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  )
}
