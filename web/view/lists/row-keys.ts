/** Arrow keys, j and k walk the rows of a list: the links that have the class `walked`. */
export function moveAmongRows(event: KeyboardEvent): void {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const list = event.currentTarget as HTMLElement
  const rows = [...list.querySelectorAll<HTMLElement>('a.walked')]
  const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement))
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus()
  event.preventDefault()
  event.stopPropagation()
}
