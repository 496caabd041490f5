import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface TabsProps {
  label: string
  tabs: readonly { title: string; Panel: ComponentType }[]
}

/** Panels, one at a time. Arrow keys move between their tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  const shown = useSignal(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const { Panel } = tabs[shown.value]!
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    shown.value = (shown.value + step * (document.dir === 'rtl' ? -1 : 1) + tabs.length) % tabs.length
    ;(list.current!.children[shown.value] as HTMLElement).focus()
  }
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map(({ title }, i) => (
          <button
            key={title}
            id={`${id}-tab-${i}`}
            type="button"
            role="tab"
            aria-selected={i === shown.value}
            aria-controls={`${id}-panel`}
            tabIndex={i === shown.value ? 0 : -1}
            onClick={() => (shown.value = i)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${shown.value}`}>
        <Panel />
      </div>
    </div>
  )
}
