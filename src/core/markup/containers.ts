import type { MarkdownIt, StateBlock } from 'markdown-it'
import { maxBlockLevel } from './limits.ts'

const fence = /^(`{3,}|~{3,})[ \t]*(.*)$/
const container = /^\{?\.?(quote|spoiler)\}?(?:[ \t]+(.*))?$/

function lineAt(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]!).trimEnd()
}

/** The line that closes the fence opened on `start`, or where the block it stands in ends. */
function findEnd(state: StateBlock, start: number, end: number): { line: number; closed: boolean } {
  // Fences open inside one another, so each closing line belongs to the innermost.
  const open = [{ fence: fence.exec(lineAt(state, start))![1]!, container: true }]
  let line = start + 1
  for (; line < end; line++) {
    if (!state.isEmpty(line) && state.sCount[line]! < state.blkIndent) break
    const [, marks, info] = fence.exec(lineAt(state, line)) ?? []
    if (marks === undefined) continue
    const top = open.at(-1)!
    if (info === '' && marks[0] === top.fence[0] && marks.length >= top.fence.length) {
      open.pop()
      if (open.length === 0) return { line, closed: true }
    } else if (top.container && !info!.includes('`')) open.push({ fence: marks, container: container.test(info!) })
  }
  return { line, closed: false }
}

function header(state: StateBlock, text: string, line: number) {
  state.push('spoiler_header_open', 'div', 1)
  if (text) {
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = text
    inline.map = [line, line + 1]
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.push('spoiler_header_close', 'div', -1)
}

function containerRule(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const first = state.src.charCodeAt(state.bMarks[start]! + state.tShift[start]!)
  if ((first !== 96 && first !== 126) /* ` ~ */ || state.sCount[start]! - state.blkIndent >= 4) return false
  if (state.level >= maxBlockLevel) return false
  const [, kind, title = ''] = container.exec(fence.exec(lineAt(state, start))?.[2] ?? '') ?? []
  if (kind === undefined || title.includes('`'.repeat(3))) return false
  if (silent) return true

  const { line, closed } = findEnd(state, start, end)
  const { parentType, lineMax } = state
  state.parentType = 'blockquote'
  state.lineMax = line
  if (kind === 'spoiler') header(state, title, start)
  state.push(kind === 'quote' ? 'blockquote_open' : 'spoiler_open', kind === 'quote' ? 'blockquote' : 'div', 1)
  state.md.block.tokenize(state, start + 1, line)
  state.push(kind === 'quote' ? 'blockquote_close' : 'spoiler_close', kind === 'quote' ? 'blockquote' : 'div', -1)
  state.parentType = parentType
  state.lineMax = lineMax
  state.line = closed ? line + 1 : line
  return true
}

/** ```` ```quote ```` and ```` ```spoiler Header ````, which hold blocks of their own. */
export function containers(md: MarkdownIt) {
  md.block.ruler.before('fence', 'container', containerRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  const { rules } = md.renderer
  rules.spoiler_header_open = () => '<div class="spoiler-block"><div class="spoiler-header">\n'
  rules.spoiler_header_close = () => '</div>'
  rules.spoiler_open = () => '<div class="spoiler-content" aria-hidden="true">\n'
  rules.spoiler_close = () => '</div></div>\n'
}
