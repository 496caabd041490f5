import { escapeTyped } from '../html.ts'
import type { RenderState } from '../state.ts'

/**
 * One rule of a text. It replaces what it finds by placeholders of finished HTML.
 *
 * @param inside turns the inside of what it found into HTML, by the rules after this one
 */
export type Pass = (text: string, state: RenderState, inside: (text: string) => string) => string

// Two codepoints that Unicode keeps for the inside of programs; none of them is left in a text.
const placeholders = /\ufdd0(\d+)\ufdd1/g

/** Keeps finished HTML aside; what is returned stands for it in the text. */
export function keep(state: RenderState, html: string, typed?: string): string {
  state.parts.push(typed === undefined ? { html } : { html, typed })
  return `\ufdd0${state.parts.length - 1}\ufdd1`
}

/** The text with every part in it that remembers what was typed as it was typed. */
export const asTyped = (state: RenderState, text: string): string =>
  text.replace(placeholders, (placeholder, index) => state.parts[Number(index)]!.typed ?? placeholder)

/** A text that the rules have gone over, as HTML. */
export const finish = (state: RenderState, text: string): string =>
  escapeTyped(text)
    .replaceAll('\n', '<br>\n')
    .replace(placeholders, (_placeholder, index) => state.parts[Number(index)]!.html)

/** Applies rules in their order: what an earlier one has found is closed to the later. */
export function applyPasses(passes: readonly Pass[], text: string, state: RenderState): string {
  const run = (from: number, text: string): string => {
    let result = text
    for (let i = from; i < passes.length; i++) {
      result = passes[i]!(result, state, (inner) => run(i + 1, inner))
    }
    return finish(state, result)
  }
  return run(0, text)
}
