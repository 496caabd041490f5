import type { Choices } from './combobox.ts'

/** Moves between the choices by arrow keys, or takes one by Enter or Tab. Returns whether the key was for the list. */
export function chooseByKey<T>({ items, active, choose }: Choices<T>, event: KeyboardEvent): boolean {
  const { length } = items
  const { key } = event
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  const item = items[active.value]
  const takes = key === 'Tab' ? !event.shiftKey : key === 'Enter' && !event.ctrlKey && !event.metaKey
  if (step !== undefined && length > 0) {
    // From none, up leads to the last one.
    const from = active.value < 0 && step < 0 ? 0 : active.value
    active.value = (from + step + length) % length
  } else if (takes && item !== undefined) choose(item)
  else return false
  event.preventDefault()
  return true
}
