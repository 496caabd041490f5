import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { PasswordStrength } from '../../../src/core/accounts/password-strength.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { useSession } from '../session-context.ts'

interface NewPasswordProps {
  name: string
  label: string
  /** Returns what the password must not consist of, from what is in the form. */
  about(typed: FormData): { delivery_email: string; full_name: string }
}

const steps: Readonly<Record<PasswordStrength, number>> = { short: 1, easy: 1, weak: 2, fair: 3, strong: 4 }
const words: Readonly<Record<PasswordStrength, string>> = {
  short: pageTexts.passwordStrength.short,
  easy: pageTexts.passwordStrength.easy,
  weak: pageTexts.passwordStrength.weak,
  fair: pageTexts.passwordStrength.fair,
  strong: pageTexts.passwordStrength.strong,
}
const load = () => import('../../../src/core/accounts/password-strength.ts')

/** A field for a new password, which says how hard it is to guess. The rules load when somebody types. */
export function NewPassword({ name, label, about }: NewPasswordProps) {
  const { state } = useSession()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const strength = useSignal<PasswordStrength | undefined>(undefined)
  useEffect(() => {
    const form = input.current!.form!
    const estimate = async () => {
      // Without them the server still decides.
      const loaded = await loadPart(load, { asked: false }).catch(() => undefined)
      const password = input.current?.value ?? ''
      const { delivery_email: email, full_name } = about(new FormData(form))
      const surroundings = { email, full_name, organization: state.realm_name }
      strength.value =
        password === '' ? undefined : loaded?.passwordStrength(password, surroundings, state.password_min_length)
    }
    const update = () => {
      // The form may be closed by what it submitted.
      if (input.current && (input.current.value !== '' || strength.value)) void estimate()
    }
    form.addEventListener('input', update)
    form.addEventListener('reset', update)
    return () => {
      form.removeEventListener('input', update)
      form.removeEventListener('reset', update)
    }
  }, [about])
  return (
    <div>
      <label>
        {label}
        <input
          ref={input}
          name={name}
          type="password"
          autocomplete="new-password"
          required
          minLength={state.password_min_length}
          aria-describedby={id}
        />
      </label>
      {strength.value && (
        <meter aria-hidden="true" max={4} low={2.5} high={3.5} optimum={4} value={steps[strength.value]} />
      )}
      <p id={id} class="quiet small" role="status">
        {strength.value && words[strength.value]}
      </p>
    </div>
  )
}
