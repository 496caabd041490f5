import { useContext, useId } from 'preact/hooks'
import { FormProblems } from './form-problems.ts'

interface CommonProps {
  name: string
  label: string
  /** One sentence of help. */
  about?: string
  /** Called as the reader types. */
  onValue?(value: string): void
}

interface TextProps extends CommonProps {
  /** The number of lines, if there may be several. */
  rows?: number
  required?: boolean
  maxLength?: number
  pattern?: string
  spellcheck?: boolean
  /** Hides what is typed. */
  type?: 'password'
  autocomplete?: 'new-password'
  placeholder?: string
  defaultValue?: string | undefined
}

interface ChoiceProps extends CommonProps {
  options: readonly (readonly [value: string, label: string])[]
  onChoose(value: string, form: HTMLFormElement): void
}

/** A field of a form, with the server's error beside it. */
export function FormField({ name, label, about, onValue, ...given }: TextProps | ChoiceProps) {
  const id = useId()
  const problem = useContext(FormProblems)?.byField.value[name] ?? ''
  const common = {
    id,
    name,
    'aria-invalid': problem !== '',
    'aria-describedby': `${about ? `${id}-about ` : ''}${id}-problem`,
    ...(onValue && { onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value) }),
  }
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {about && (
        <span id={`${id}-about`} class="quiet small">
          {about}
        </span>
      )}
      {'options' in given ? (
        <select {...common} onChange={({ currentTarget: { value, form } }) => given.onChoose(value, form!)}>
          {given.options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ) : given.rows ? (
        <textarea {...common} {...given} />
      ) : (
        <input autocomplete="off" {...common} {...given} />
      )}
      <span id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </span>
    </div>
  )
}
