import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface Shown {
  title: string
  body: ComponentChildren
}

const shown = signal<Shown | undefined>(undefined)

/** Shows something over the page until it is closed. */
export function openDialog(title: string, body: ComponentChildren): void {
  shown.value = { title, body }
}

export function closeDialog(): void {
  shown.value = undefined
}

/** The place of the one dialog there is. */
export function DialogHost() {
  const dialog = shown.value
  return dialog ? <Dialog {...dialog} /> : null
}

function Dialog({ title, body }: Shown) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const origin = document.activeElement
    const dialog = element.current!
    dialog.showModal()
    // What it asks for has the focus; where it asks for nothing the dialog itself, and not the button that closes it.
    ;(dialog.querySelector<HTMLElement>('[autofocus], input:not([hidden]), textarea') ?? dialog).focus()
    // Another address is another view: back and forward do not leave it below the dialog.
    addEventListener('hashchange', closeDialog)
    return () => {
      removeEventListener('hashchange', closeDialog)
      if (origin instanceof HTMLElement) origin.focus()
    }
  }, [])
  return (
    <dialog ref={element} class="dialog" tabIndex={-1} aria-labelledby={id} onClose={closeDialog}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={closeDialog}>
          <Icon name="close" />
        </button>
      </header>
      {body}
    </dialog>
  )
}
