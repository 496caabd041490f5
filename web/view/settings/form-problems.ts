import { type Signal, useSignal } from '@preact/signals'
import { createContext } from 'preact'
import { isChatError } from '../../../src/client/index.ts'
import { reasonOf } from '../parts/notices.tsx'
import '../parts/problem-words.ts'

/** The errors of a form. */
interface Problems {
  /** For the entire form. */
  problem: Signal<string>
  /** For single fields, by their names. */
  byField: Signal<Readonly<Record<string, string>>>
  /** Does something, and shows its error at the fields that it is about, or else below the form. Returns whether it succeeded. */
  attempt(form: HTMLFormElement, run: () => Promise<unknown>): Promise<boolean>
}

export const FormProblems = createContext<Problems | undefined>(undefined)

export function useProblems(): Problems {
  const problem = useSignal('')
  const byField = useSignal<Readonly<Record<string, string>>>({})
  const show = (text: string, fields: readonly string[]) => {
    problem.value = fields.length === 0 ? text : ''
    byField.value = Object.fromEntries(fields.map((name) => [name, text]))
  }
  const attempt = async (form: HTMLFormElement, run: () => Promise<unknown>) => {
    try {
      await run()
      show('', [])
      return true
    } catch (error) {
      const fields = fieldsOf(error).flatMap((name) => {
        const field = form.elements.namedItem(name)
        return field instanceof HTMLElement ? [field] : []
      })
      show(
        reasonOf(error),
        fields.map((field) => field.getAttribute('name')!),
      )
      fields[0]?.focus()
      return false
    }
  }
  return { problem, byField, attempt }
}

/** The names of the parameters that an error is about. */
const fieldsOf = (error: unknown): string[] => {
  const errors = isChatError(error) ? error.data.errors : undefined
  return typeof errors === 'object' && errors !== null && !Array.isArray(errors) ? Object.keys(errors) : []
}
