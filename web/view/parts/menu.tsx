import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { attempt } from './notices.tsx'
import { placeBeside } from './place-beside.ts'

export interface MenuItem {
  label: string
  /** The key that does the same. */
  hint?: string
  /** What is shown in the place of a key. */
  detail?: string
  /** Whether it is the selected one of several options. */
  checked?: boolean
  dangerous?: boolean
  run(): unknown
}

interface MenuProps {
  label: string
  class?: string
  /** Loads what `items` needs, before the menu opens. */
  ready?: () => Promise<void>
  /** Computed when the menu opens. */
  items(): readonly MenuItem[]
  children: ComponentChildren
}

/** A button with a list of actions, walked by arrow keys. */
export function Menu({ label, class: name = 'icon-button', ready, items, children }: MenuProps) {
  const open = useSignal(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const buttons = () => [...root.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const close = (refocus = true) => {
    open.value = false
    if (refocus) button.current?.focus()
  }
  const toggle = () => {
    if (open.value || !ready) open.value = !open.value
    else
      attempt(async () => {
        await ready()
        open.value = true
      })
  }
  useLayoutEffect(() => {
    if (!open.value) return
    list.current!.showPopover()
    const leave = placeBeside(list.current!, button.current!)
    buttons()[0]?.focus()
    const outside = (event: Event) => !root.current?.contains(event.target as Node) && close(false)
    document.addEventListener('pointerdown', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      leave()
    }
  }, [open.value])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open.value || event.ctrlKey || event.metaKey) return
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }
    const to = moves[event.key]
    // Letters are for the menu, and none of them the key of something else.
    event.stopPropagation()
    if (to !== undefined) all.at(to % all.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') close(event.key === 'Escape')
    else if (/^\p{L}$/u.test(event.key)) nextBy(event.key, all, at)?.focus()
    else return
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu inside handles the keys.
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
        onClick={toggle}
      >
        {children}
      </button>
      {open.value && (
        <div ref={list} class="menu-list" popover="manual" id={id} role="menu" aria-label={label}>
          {items().map((item) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is set only for a menuitemradio.
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
              {item.detail && <small>{item.detail}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The next action that begins with a letter. */
function nextBy(letter: string, all: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const begins = (one: HTMLElement) => one.textContent?.toLowerCase().startsWith(letter.toLowerCase())
  return [...all.slice(at + 1), ...all.slice(0, at + 1)].find(begins)
}
