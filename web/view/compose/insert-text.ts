import { keyName } from '../parts/key-name.ts'

/**
 * Replaces the selection in a text field, as if the text were typed: listeners are notified, and the browser can undo
 * it.
 *
 * @param done called when the text is there: behind a dialog in the next frame
 */
export function insertText(
  box: HTMLTextAreaElement | null,
  text: string,
  range?: { from: number; to: number },
  done?: () => void,
): void {
  if (!box) return
  const { from = box.selectionStart, to = box.selectionEnd } = range ?? {}
  const insert = () => {
    type(box, text, from, to)
    done?.()
  }
  // Behind a dialog that is about to close nothing can have the focus.
  if (document.querySelector('dialog[open]')) requestAnimationFrame(insert)
  else insert()
}

function type(box: HTMLTextAreaElement, text: string, from: number, to: number): void {
  box.focus()
  box.setSelectionRange(from, to)
  if (document.activeElement === box && document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) return
  box.setRangeText(text, from, to, 'end')
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Puts marks around the selection, or removes them if they are already there. */
export function surround(box: HTMLTextAreaElement | null, before: string, after = before): void {
  if (!box) return
  const { selectionStart: from, selectionEnd: to, value } = box
  const isMarked = value.slice(0, from).endsWith(before) && value.slice(to).startsWith(after)
  const start = isMarked ? from - before.length : from
  // A block begins on a new line.
  const newLine = before.startsWith('```') && start > 0 && value[start - 1] !== '\n' ? '\n' : ''
  const inside = value.slice(from, to)
  if (isMarked) insertText(box, inside, { from: start, to: to + after.length })
  else insertText(box, newLine + before + inside + after, { from, to })
  const at = isMarked ? start : from + newLine.length + before.length
  box.setSelectionRange(at, at + inside.length)
}

const marksByKey: Readonly<Record<string, readonly [before: string, after: string]>> = {
  b: ['**', '**'],
  i: ['*', '*'],
}
const link = ['[', '](https://)'] as const

/**
 * Handles a formatting key. Returns whether it was one. Ctrl+K turns the selection into a link, and has another meaning
 * without one.
 */
export function formatByKey(event: KeyboardEvent, box: HTMLTextAreaElement | null): boolean {
  if (!box || event.altKey || !(event.ctrlKey || event.metaKey)) return false
  const isSelected = box.selectionStart !== box.selectionEnd
  const name = keyName(event)
  const marks = name === 'k' && isSelected ? link : marksByKey[name]
  if (!marks) return false
  event.preventDefault()
  event.stopPropagation()
  surround(box, ...marks)
  return true
}

/** An address that is pasted over words becomes their link; whether it was one. */
export function pasteLink(event: ClipboardEvent, box: HTMLTextAreaElement | null): boolean {
  const text = event.clipboardData?.getData('text/plain').trim() ?? ''
  const selected = box?.value.slice(box.selectionStart, box.selectionEnd) ?? ''
  if (!/^https?:\/\/\S+$/.test(text) || selected.trim() === '' || /^https?:|[[\]\n]/.test(selected)) return false
  event.preventDefault()
  insertText(box, `[${selected}](${text})`)
  return true
}
