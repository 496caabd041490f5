import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../../texts/texts.ts'
import { Problem, reasonOf } from '../parts/notices.tsx'

interface ActionFormProps {
  /** What its button says. */
  action: string
  /** Does it with what was filled in. A refusal stands in the form, which keeps what is in it. */
  run(data: FormData): Promise<unknown>
  onCancel?: () => void
  /** Whether what was filled in stays after it was sent. */
  keep?: boolean
  children: ComponentChildren
}

/** Fields that are sent together. */
export function ActionForm({ action, run, onCancel, keep = false, children }: ActionFormProps) {
  const problem = useSignal('')
  const busy = useSignal(false)
  const element = useRef<HTMLFormElement>(null)
  /** Whether something was filled in since it was sent. */
  const isChanged = useRef(false)
  /** Whether what was filled in meanwhile is to be sent next. */
  const isNext = useRef(false)
  // One that can be left was opened by somebody, who now fills it in.
  useLayoutEffect(() => {
    if (onCancel) element.current!.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy.value) {
      // A second press of the same is none.
      isNext.current = isChanged.current
      return
    }
    const form = event.currentTarget as HTMLFormElement
    busy.value = true
    isChanged.current = false
    try {
      await run(new FormData(form))
      problem.value = ''
      if (!keep && !isChanged.current) form.reset()
    } catch (error) {
      problem.value = reasonOf(error)
    }
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
      {children}
      <Problem of={problem} />
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

/** The text of a field, without space around it. */
export const textIn = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()
