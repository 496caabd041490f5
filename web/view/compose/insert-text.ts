import { content, write } from '../../model/writing/compose.ts'

/** Puts a text into the box in the place of what is selected, with the caret after it. */
export function insertText(box: HTMLTextAreaElement | null, text: string, range?: { from: number; to: number }): void {
  const from = range?.from ?? box?.selectionStart ?? content.value.length
  const to = range?.to ?? box?.selectionEnd ?? from
  write(content.value.slice(0, from) + text + content.value.slice(to))
  place(box, from + text.length)
}

/** Puts marks around what is selected. */
export function surround(box: HTMLTextAreaElement | null, before: string, after = before): void {
  const from = box?.selectionStart ?? content.value.length
  const to = box?.selectionEnd ?? from
  const inside = content.value.slice(from, to)
  write(content.value.slice(0, from) + before + inside + after + content.value.slice(to))
  place(box, from + before.length, from + before.length + inside.length)
}

function place(box: HTMLTextAreaElement | null, start: number, end = start): void {
  // The box has the new text only after it is drawn.
  requestAnimationFrame(() => {
    box?.focus()
    box?.setSelectionRange(start, end)
  })
}
