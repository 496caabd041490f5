import { escapeText } from '../html.ts'
import { keep, type Pass } from './passes.ts'

const run = /`+/g

/** `` `code` ``: the same number of backticks opens and closes it, and everything between them is literal. */
export const codeSpans: Pass = (text, state) => {
  if (!text.includes('`')) return text
  const runs = [...text.matchAll(run)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
    length,
  }))
  // Searched from the right: the next run of the same length.
  const closing: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let i = runs.length - 1; i >= 0; i--) {
    closing[i] = latest.get(runs[i]!.length)
    latest.set(runs[i]!.length, i)
  }
  let result = ''
  let from = 0
  for (let i = 0; i < runs.length; i++) {
    const end = closing[i]
    const { start, end: inside } = runs[i]!
    if (end === undefined || text[start - 1] === '\\') continue
    const code = text.slice(inside, runs[end]!.start)
    result += text.slice(from, start) + keep(state, `<code>${escapeText(code)}</code>`)
    from = runs[end]!.end
    i = end
  }
  return result + text.slice(from)
}
