import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../../texts/texts.ts'
import { Icon } from './icon.tsx'
import { reasonFor } from './notices.tsx'
import { placeBeside } from './place-beside.ts'

interface Shown {
  title: ComponentChildren
  body: ComponentChildren
  /** The element that a popover is beside. */
  anchor?: Element | undefined
}

const shown = signal<Shown | undefined>(undefined)

/** Shows something over the page until it is closed. */
export function openDialog(title: ComponentChildren, body: ComponentChildren): void {
  shown.value = { title, body }
}

/** Shows something beside the element that opened it. On phones it comes from below. */
export function openPopover(title: ComponentChildren, body: ComponentChildren): void {
  const before = shown.peek()
  // What opens another from inside a popover takes its place.
  shown.value = { title, body, anchor: before ? before.anchor : opener() }
}

/** What has the focus, if that is a small part of the page. */
const opener = (): Element | undefined => {
  const focused = document.activeElement
  return focused && !focused.matches('body, main') ? focused : undefined
}

export function closeDialog(): void {
  shown.value = undefined
}

/** Runs a dialog's action, one at a time, and closes the dialog. Errors are shown in the dialog. */
export function useDialogWork() {
  const problem = useSignal('')
  const own = useRef(shown.peek()).current
  const isBusy = useRef(false)
  /** Returns whether it completed while the dialog was open. */
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      await work()
    } catch (error) {
      problem.value = await reasonFor(error)
      return false
    } finally {
      isBusy.current = false
    }
    // The dialog may have been closed since, and another opened.
    const isThere = shown.peek() === own
    if (isThere) closeDialog()
    return isThere
  }
  return { problem, run }
}

/** How a form in a dialog is sent or left. */
export const DialogFooter = ({ action }: { action: string }) => (
  <footer>
    <button type="button" onClick={closeDialog}>
      {texts.common.cancel}
    </button>
    <button type="submit" class="primary">
      {action}
    </button>
  </footer>
)

/** The place of the one dialog there is. */
export function DialogHost() {
  const dialog = shown.value
  return dialog ? <Dialog key={dialog} dialog={dialog} /> : null
}

function Dialog({ dialog: own }: { dialog: Shown }) {
  const { title, body, anchor } = own
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The browser reports late that it has closed this dialog. By then another may be open.
  const close = () => shown.peek() === own && closeDialog()
  // Synchronously, because the next key press is for the dialog.
  useLayoutEffect(() => {
    const origin = document.activeElement
    const dialog = element.current!
    dialog.showModal()
    const leave = anchor && placeBeside(dialog, anchor, 'start')
    // The first field gets the focus. Without fields, the dialog itself does, not its close button.
    ;(dialog.querySelector<HTMLElement>('[autofocus], input:not([hidden]), textarea') ?? dialog).focus()
    // Another address is another view: back and forward do not leave it below the dialog.
    const address = location.href
    const onAddress = () => location.href !== address && close()
    addEventListener('hashchange', onAddress)
    return () => {
      removeEventListener('hashchange', onAddress)
      leave?.()
      // While it is open, nothing else can have the focus.
      dialog.close()
      // The browser returns the focus. The page may find out late, after the focus has moved elsewhere.
      for (const next of [origin, document.getElementById('main-view')]) {
        if (document.activeElement === document.body && next instanceof HTMLElement) next.focus()
      }
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={anchor ? 'dialog popover' : 'dialog'}
      tabIndex={-1}
      aria-labelledby={id}
      onClose={close}
      // A press on what is around it.
      onPointerDown={({ target, clientX, clientY }) => {
        if (anchor && target === element.current && !isInside(element.current!, clientX, clientY)) closeDialog()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-button" aria-label={texts.common.close} onClick={closeDialog}>
          <Icon name="close" />
        </button>
      </header>
      {body}
    </dialog>
  )
}

function isInside(element: HTMLElement, x: number, y: number): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}
