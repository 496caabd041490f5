import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import '../../styles/tabs.css'

export interface Tab {
  name: string
  title: string
  content(): ComponentChildren
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** The name of the first tab to show. */
  first?: string | undefined
  onShow?(name: string): void
}

/** Panels, one at a time. Arrow keys move between their tabs. */
export function Tabs({ label, tabs, first, onShow }: TabsProps) {
  const wanted = useSignal(first)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  // A tab may disappear with the right to use it.
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === wanted.value),
  )
  const { name: shown, content } = tabs[at]!
  const show = (name: string) => {
    wanted.value = name
    onShow?.(name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (at + step * (document.dir === 'rtl' ? -1 : 1) + tabs.length) % tabs.length
    show(tabs[next]!.name)
    ;(list.current!.children[next] as HTMLElement).focus()
  }
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            id={`${id}-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => show(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div key={shown} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${shown}`}>
        {content()}
      </div>
    </div>
  )
}
