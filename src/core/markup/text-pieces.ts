import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** A stretch of a text that becomes something else. */
export interface Piece {
  start: number
  end: number
  tokens: Token[]
}

/** Finds pieces in one text, left to right and apart from each other; `inLink` says whether a link surrounds it. */
export type PieceFinder = (text: string, inLink: boolean, state: StateCore) => Piece[]

function textToken(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0)
  token.content = content
  return token
}

function replaceIn(state: StateCore, children: Token[], find: PieceFinder): Token[] {
  const result: Token[] = []
  let links = 0
  for (const child of children) {
    if (child.type === 'link_open') links++
    else if (child.type === 'link_close') links--
    const pieces = child.type === 'text' ? find(child.content, links > 0, state) : []
    if (pieces.length === 0) {
      result.push(child)
      continue
    }
    let from = 0
    for (const { start, end, tokens } of pieces) {
      if (start > from) result.push(textToken(state, child.content.slice(from, start)))
      for (const token of tokens) result.push(token)
      from = end
    }
    if (from < child.content.length) result.push(textToken(state, child.content.slice(from)))
  }
  return result
}

/** Adds a pass over the plain text that is left when all syntax and addresses have been taken out. */
export function textPass(md: MarkdownIt, name: string, find: PieceFinder) {
  md.core.ruler.before('text_join', name, (state) => {
    for (const token of state.tokens) {
      if (token.type === 'inline') token.children = replaceIn(state, token.children!, find)
    }
  })
}
