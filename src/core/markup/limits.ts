import type { MarkdownIt, StateBlock, Token } from 'markdown-it'
import { guardRule } from './guard-rule.ts'

/** No block stands inside more levels than this; deeper openers are read as plain text, so nothing typed is lost. */
export const maxBlockLevel = 24
/** Emphasis inside emphasis: beyond this the tags are left out and the text stays. */
const maxInlineLevel = 12
/** Cells a table may come to have, its missing ones included, which cost a byte or none to ask for. */
const maxTableCells = 4000

function tooDeep(state: StateBlock): boolean {
  return state.level >= maxBlockLevel
}

function tooManyCells(state: StateBlock, start: number, end: number): boolean {
  if (start + 1 >= end) return false
  const delimiters = state.src.slice(state.bMarks[start + 1], state.eMarks[start + 1])
  // Asked of every line: one without a bar or a dash below it is no table anyway.
  if (!delimiters.includes('-')) return true
  return (delimiters.split('|').length + 1) * (end - start) > maxTableCells
}

function hideDeepInline(children: Token[]) {
  const hidden: boolean[] = []
  for (const child of children) {
    if (child.nesting === 1) {
      // A link is never left out: what it holds was checked as its text, and links do not nest.
      child.hidden = hidden.length >= maxInlineLevel && child.tag !== 'a'
      hidden.push(child.hidden)
    } else if (child.nesting === -1) child.hidden = hidden.pop() ?? false
  }
}

/** Bounds what a short text can make the parser and its readers do. */
export function limits(md: MarkdownIt) {
  for (const name of ['blockquote', 'list']) guardRule(md.block.ruler, name, tooDeep)
  guardRule(md.block.ruler, 'table', tooManyCells)
  md.core.ruler.push('inline_depth', ({ tokens }) => {
    for (const token of tokens)
      if (token.children && token.children.length > maxInlineLevel) hideDeepInline(token.children)
  })
}
