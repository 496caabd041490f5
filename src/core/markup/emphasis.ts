import type { MarkdownIt } from 'markdown-it'

/** `*em*`, `**strong**` and `~~del~~`; underscores mean themselves, for snake_case and __init__ are common in chat. */
export function emphasis(md: MarkdownIt) {
  md.inline.ruler.before('emphasis', 'underscore', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 95 /* _ */) return false
    const start = state.pos
    while (state.pos < state.posMax && state.src.charCodeAt(state.pos) === 95) state.pos++
    if (!silent) state.pending += state.src.slice(start, state.pos)
    return true
  })
  md.renderer.rules.s_open = (tokens, index) => (tokens[index]!.hidden ? '' : '<del>')
  md.renderer.rules.s_close = (tokens, index) => (tokens[index]!.hidden ? '' : '</del>')
}
