import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Choices } from './combobox.ts'
import { placeBeside } from './place-beside.ts'

interface ListProps<T> {
  choices: Choices<T>
  label: string
  class?: string
  /** The element that the list floats beside; without one, it is part of the page. */
  beside?: () => Element | null | undefined
  keyOf(item: T, at: number): string | number
  children(item: T): ComponentChildren
}

/** The choices of a field. */
export function ChoiceList<T>({ choices, label, class: name = 'suggestions', beside, keyOf, children }: ListProps<T>) {
  const { id, items } = choices
  const list = useRef<HTMLDivElement>(null)
  const isOpen = items.length > 0
  useLayoutEffect(() => {
    const anchor = beside?.()
    if (!isOpen || !anchor) return
    const floating = list.current!
    floating.showPopover()
    const leave = placeBeside(floating, anchor, 'start')
    return () => {
      leave()
      floating.hidePopover()
    }
  }, [isOpen])
  return (
    <div
      ref={list}
      id={id}
      class={name}
      popover={beside ? 'manual' : undefined}
      role="listbox"
      aria-label={label}
      hidden={!isOpen}
    >
      {items.map((item, at) => (
        <Choice key={keyOf(item, at)} choices={choices} item={item} at={at}>
          {children(item)}
        </Choice>
      ))}
    </div>
  )
}

interface ChoiceProps<T> {
  choices: Choices<T>
  item: T
  at: number
  children: ComponentChildren
}

/** One of the choices. */
export function Choice<T>({ choices: { id, active, choose }, item, at, children }: ChoiceProps<T>) {
  const row = useRef<HTMLDivElement>(null)
  const isActive = at === active.value
  useLayoutEffect(() => {
    if (isActive) row.current!.scrollIntoView({ block: 'nearest' })
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      ref={row}
      id={`${id}-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(item)}
    >
      {children}
    </div>
  )
}
