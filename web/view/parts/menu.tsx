import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { attempt } from './notices.tsx'

export interface MenuItem {
  label: string
  /** The key that does the same. */
  hint?: string
  /** One of several of which one holds. */
  checked?: boolean
  dangerous?: boolean
  run(): unknown
}

interface MenuProps {
  label: string
  class?: string
  /** Asked for when it is opened. */
  items(): readonly MenuItem[]
  children: ComponentChildren
}

/** A button with a list of actions, walked by arrow keys. */
export function Menu({ label, class: name = 'icon-button', items, children }: MenuProps) {
  const open = useSignal(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const buttons = () => [...root.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const close = (refocus = true) => {
    open.value = false
    if (refocus) button.current?.focus()
  }
  useEffect(() => {
    if (!open.value) return
    buttons()[0]?.focus()
    const outside = (event: Event) => !root.current?.contains(event.target as Node) && close(false)
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open.value])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open.value) return
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }
    const to = moves[event.key]
    if (to !== undefined) all.at(to % all.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') close(event.key === 'Escape')
    else return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside.
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class={name}
        aria-label={name === 'icon-button' ? label : undefined}
        title={name === 'icon-button' ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        onClick={() => (open.value = !open.value)}
      >
        {children}
      </button>
      {open.value && (
        <div class="menu-list" id={id} role="menu" aria-label={label}>
          {items().map((item) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is there only for a menuitemradio.
            <button
              key={item.label}
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.checked}
              tabIndex={-1}
              class={item.dangerous ? 'dangerous' : ''}
              onClick={() => {
                close()
                attempt(async () => void (await item.run()))
              }}
            >
              {item.label}
              {item.hint && <kbd>{item.hint}</kbd>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
