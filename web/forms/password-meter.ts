/**
 * Says how hard a new password is to guess, on the server's own pages: set-up, invitations and password links. They work
 * without it. A page in another language than English has its words.
 */
import { type PasswordStrength, passwordStrength } from '../../src/core/accounts/password-strength.ts'

const english: Readonly<Record<PasswordStrength, string>> = {
  short: 'Too short',
  easy: 'Easy to guess. Try a few random words.',
  weak: 'Weak password',
  fair: 'Fair password',
  strong: 'Strong password',
}
const steps: Readonly<Record<PasswordStrength, number>> = { short: 1, easy: 1, weak: 2, fair: 3, strong: 4 }

function begin(input: HTMLInputElement): void {
  const form = input.form!
  const words: typeof english = input.dataset.words === undefined ? english : JSON.parse(input.dataset.words)
  const meter = Object.assign(document.createElement('meter'), { max: 4, low: 2.5, high: 3.5, optimum: 4 })
  meter.setAttribute('aria-hidden', 'true')
  meter.hidden = true
  const status = Object.assign(document.createElement('p'), { id: 'password-strength' })
  status.setAttribute('role', 'status')
  input.setAttribute('aria-describedby', status.id)
  input.closest('label')!.after(meter, status)
  const typed = (name: string): string => {
    const field = form.elements.namedItem(name)
    return field instanceof HTMLInputElement ? field.value : (input.dataset[name] ?? '')
  }
  form.addEventListener('input', () => {
    meter.hidden = input.value === ''
    const surroundings = { email: typed('email'), full_name: typed('full_name'), organization: typed('organization') }
    const strength = passwordStrength(input.value, surroundings, input.minLength)
    meter.value = steps[strength]
    const text = meter.hidden ? '' : words[strength]
    // An unchanged text is not read aloud again.
    if (status.textContent !== text) status.textContent = text
  })
}

const field = document.querySelector('input[autocomplete=new-password]')
if (field instanceof HTMLInputElement) begin(field)
