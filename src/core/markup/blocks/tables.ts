import { append, type Element, element } from './tree.ts'

/** Maximum number of cells of a table, including missing ones, which cost the writer nothing. */
const MAX_CELLS = 4000

const special = /\\\\|\\?`+|\\\||\|/g

interface Ticks {
  start: number
  end: number
  /** Length of a run of backticks; one after a backslash does not open code. */
  length: number
  opens: number
}

/** The cells of a row, divided by bars that are neither in code nor escaped by a backslash. */
function split(row: string): string[] {
  const bars: number[] = []
  const ticks: Ticks[] = []
  for (const { 0: found, index } of row.matchAll(special)) {
    if (found === '|') bars.push(index)
    else if (found.endsWith('`')) {
      const escaped = found.startsWith('\\') ? 1 : 0
      const length = found.length - escaped
      ticks.push({ start: index, end: index + found.length, length, opens: length - escaped })
    }
  }
  const isCode = codeRegions(ticks)
  const cells: string[] = []
  let from = 0
  for (const bar of bars) {
    if (isCode(bar)) continue
    cells.push(row.slice(from, bar))
    from = bar + 1
  }
  return [...cells, row.slice(from)]
}

/** Returns a check whether an index lies in code; indexes must be given in ascending order. */
function codeRegions(ticks: readonly Ticks[]): (place: number) => boolean {
  const closing: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let i = ticks.length - 1; i >= 0; i--) {
    closing[i] = latest.get(ticks[i]!.opens)
    latest.set(ticks[i]!.length, i)
  }
  const regions: { start: number; end: number }[] = []
  for (let i = 0; i < ticks.length; i++) {
    const end = closing[i]
    if (end === undefined) continue
    regions.push({ start: ticks[i]!.start, end: ticks[end]!.end })
    i = end
  }
  let next = 0
  return (place) => {
    while (next < regions.length && regions[next]!.end <= place) next++
    return next < regions.length && regions[next]!.start < place
  }
}

const endBar = /(?<!\\)(?:\\\\)*\|$/
const hasBar = (row: string): boolean => row.startsWith('|') || endBar.test(row)
const strip = (text: string): string => text.replace(/^ +/, '').trimEnd()

function cellsOf(row: string, hasBorder: boolean): string[] {
  if (!hasBorder) return split(row)
  const open = row.startsWith('|') ? row.slice(1) : row
  return split(endBar.test(open) ? open.slice(0, -1) : open)
}

const isDelimiter = (cell: string): boolean => /^[:\- ]*$/.test(cell)

/** The table in the lines from `from` to `to`, if they are one: a header row, a row of dashes, and the rest. */
export function tableIn(lines: readonly string[], from: number, to: number): Element | undefined {
  // Called for every paragraph. Most have no dash in their second line.
  if (to - from < 2 || !lines[from + 1]!.includes('-')) return undefined
  const head = strip(lines[from]!)
  const hasBorder = hasBar(head)
  const names = cellsOf(head, hasBorder)
  const delimiters = cellsOf(strip(lines[from + 1]!), hasBorder)
  if (delimiters.length !== names.length || !delimiters.every(isDelimiter)) return undefined
  if (names.length * (to - from) > MAX_CELLS) return undefined
  if (names.length === 1) {
    if (!hasBorder) return undefined
    for (let i = from + 1; i < to; i++) if (!hasBar(strip(lines[i]!))) return undefined
  }
  const styles = delimiters.map(styleOf)
  const table = element('table')
  addRow(append(table, 'thead'), 'th', names, styles)
  const body = append(table, 'tbody')
  if (to - from === 2) addRow(body, 'td', [], styles)
  for (let i = from + 2; i < to; i++) addRow(body, 'td', cellsOf(strip(lines[i]!), hasBorder), styles)
  return table
}

function styleOf(delimiter: string): string | undefined {
  const text = strip(delimiter)
  const [left, right] = [text.startsWith(':'), text.endsWith(':')]
  const align = left && right ? 'center' : left ? 'left' : right ? 'right' : undefined
  return align && `text-align: ${align};`
}

function addRow(parent: Element, tag: 'th' | 'td', cells: readonly string[], styles: readonly (string | undefined)[]) {
  const row = append(parent, 'tr')
  for (const [i, style] of styles.entries()) {
    const cell = append(row, tag, strip(cells[i] ?? '').replaceAll('\\|', '|'))
    if (style) cell.attributes = { style }
  }
}
