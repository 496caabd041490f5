import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../../texts/texts.ts'
import { Problem } from '../parts/notices.tsx'
import { FormProblems, useProblems } from './form-problems.ts'

interface ActionFormProps {
  /** The label of its button. */
  action: string
  /** Submits the values. An error is shown at its field or below the form, which keeps them. */
  run(data: FormData): Promise<unknown>
  onCancel?: () => void
  /** Whether the values stay after submitting. */
  keep?: boolean
  children: ComponentChildren
}

/** Fields that are submitted together. */
export function ActionForm({ action, run, onCancel, keep = false, children }: ActionFormProps) {
  const problems = useProblems()
  const busy = useSignal(false)
  const element = useRef<HTMLFormElement>(null)
  /** Whether values changed since they were submitted. */
  const isChanged = useRef(false)
  /** Whether to send values that were entered since. */
  const isNext = useRef(false)
  // A form with a close button was opened by the reader, who now fills it in.
  useLayoutEffect(() => {
    if (onCancel) element.current!.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy.value) {
      // Ignores a second press with the same values.
      isNext.current = isChanged.current
      return
    }
    const form = event.currentTarget as HTMLFormElement
    busy.value = true
    isChanged.current = false
    const isDone = await problems.attempt(form, () => run(new FormData(form)))
    if (isDone && !keep && !isChanged.current) form.reset()
    busy.value = false
    if (!isNext.current) return
    isNext.current = false
    form.requestSubmit()
  }
  return (
    <form
      ref={element}
      class="card new-stream"
      onInput={() => (isChanged.current = true)}
      onSubmit={(event) => void submit(event)}
    >
      <FormProblems.Provider value={problems}>{children}</FormProblems.Provider>
      <Problem of={problems.problem} />
      <footer>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {texts.common.cancel}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={busy.value}>
          {action}
        </button>
      </footer>
    </form>
  )
}

/** Returns a field's text without surrounding spaces. */
export const textIn = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()
