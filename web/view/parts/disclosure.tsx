import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

interface DisclosureProps {
  /** What its button says. */
  label: string
  /** The content that it opens. `close` returns the focus to the button. */
  children(close: () => void): ComponentChildren
}

/** A button that opens a form below it. */
export function Disclosure({ label, children }: DisclosureProps) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    isOpen.value = false
    button.current?.focus()
  }
  return (
    <>
      <p>
        <button
          ref={button}
          type="button"
          class="primary"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {label}
        </button>
      </p>
      {isOpen.value && children(close)}
    </>
  )
}
