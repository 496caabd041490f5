import { insertText } from './insert-text.ts'

/** A bullet, number or box of a task with the space around it, or the mark of a quote. */
const MARKER = /^((?:\s*>\s?)+)?(\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/
const INDENT = '  '

interface Line {
  /** Where the line begins. */
  start: number
  /** Its quote marks and its bullet or number, with spaces. */
  marker: string
  isList: boolean
  /** The rest of the line. */
  text: string
}

/**
 * Carries out Enter and Tab in lists and quotes. Returns whether the key was used. `sends` says that Enter sends the
 * text.
 */
export function lineKey(event: KeyboardEvent, box: HTMLTextAreaElement | null, sends: boolean): boolean {
  if (!box || event.ctrlKey || event.metaKey || event.altKey) return false
  const { key, shiftKey } = event
  const isUsed = key === 'Enter' ? !sends && continueLine(box) : key === 'Tab' && indentLines(box, shiftKey)
  if (isUsed) event.preventDefault()
  return isUsed
}

/**
 * Continues a list or a quote where a line is broken in it, and ends it at an empty item. Returns whether the key was
 * used.
 */
function continueLine(box: HTMLTextAreaElement): boolean {
  const { value, selectionStart: from, selectionEnd: to } = box
  const line = lineAt(value, from)
  if (line.marker.trim() === '' || from < line.start + line.marker.length || isInCode(value, line.start)) return false
  if (line.text.trim() === '') insertText(box, '', { from: line.start, to })
  else insertText(box, `\n${nextMarker(line.marker)}`, { from, to })
  return true
}

/** Indents the lines of a list, or all selected lines. Returns whether there were any; elsewhere Tab leaves the box. */
function indentLines(box: HTMLTextAreaElement, isBack: boolean): boolean {
  const { value, selectionStart: from, selectionEnd: to } = box
  const { start, isList } = lineAt(value, from)
  const isBlock = value.slice(from, to).includes('\n')
  if (!isList && !isBlock) return false
  const end = value.indexOf('\n', to) === -1 ? value.length : value.indexOf('\n', to)
  const before = value.slice(start, end).split('\n')
  const after = before.map((line) => (isBack ? line.replace(/^ {1,2}|^\t/, '') : line && INDENT + line))
  if (after.join('\n') === before.join('\n')) return isList
  insertText(box, after.join('\n'), { from: start, to: end })
  const moved = after.join('\n').length - (end - start)
  const movedFirst = after[0]!.length - before[0]!.length
  box.setSelectionRange(Math.max(start, from + movedFirst), to + moved)
  return true
}

function lineAt(value: string, at: number): Line {
  const start = value.lastIndexOf('\n', at - 1) + 1
  const end = value.indexOf('\n', at)
  const line = value.slice(start, end === -1 ? value.length : end)
  const [marker = '', , bullet] = MARKER.exec(line) ?? []
  return { start, marker, isList: bullet !== undefined, text: line.slice(marker.length) }
}

/** The next number, and a task that is not done. */
const nextMarker = (marker: string): string =>
  marker.replace(/\d+/, (number) => String(Number(number) + 1)).replace(/\[[xX]\]/, '[ ]')

/** Whether a line is inside a code block. */
function isInCode(value: string, start: number): boolean {
  let fence: string | undefined
  for (const line of value.slice(0, start).split('\n')) {
    const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(line) ?? []
    if (!mark) continue
    if (fence === undefined) fence = /^(?:quote|spoiler)$/.test(language) ? undefined : mark
    else if (mark.startsWith(fence)) fence = undefined
  }
  return fence !== undefined
}
