import { decodeText, escapeTyped } from '../html.ts'
import { plainText } from '../plain-text.ts'
import type { RenderState } from '../state.ts'

/**
 * One inline rule. It replaces its matches with placeholders for finished HTML.
 *
 * @param inside renders nested text to HTML by the rules after this one
 */
export type Pass = (text: string, state: RenderState, inside: (text: string) => string) => string

// Two control characters without a meaning, which are removed from typed texts. Unlike characters beyond Latin-1, they
// leave the text at one byte a character, and so everything made from it.
const placeholders = /\x81(\d+)\x8d/g

/** Stores finished HTML; returns the placeholder that represents it in the text. */
export function keep(state: RenderState, html: string, typed?: string): string {
  state.parts.push(typed === undefined ? { html } : { html, typed })
  return `\x81${state.parts.length - 1}\x8d`
}

/**
 * A typed text with its entities as characters. Entities for the two characters of placeholders are dropped, too: they
 * would stand for other parts of the message, and each part could contain the one before it several times.
 */
export const decodeTyped = (text: string): string => decodeText(text).replace(/[\x81\x8d]/g, '')

/** The text with every placeholder that keeps its source replaced by that source. */
export const asTyped = (state: RenderState, text: string): string =>
  text.replace(placeholders, (placeholder, index) => state.parts[Number(index)]!.typed ?? placeholder)

/** The text with every placeholder replaced by what it stands for, without markup. */
export const asPlain = (state: RenderState, text: string): string =>
  text.replace(placeholders, (_placeholder, index) => plainText(state.parts[Number(index)]!.html))

/** A text to which all rules have been applied, as HTML. */
export const finish = (state: RenderState, text: string): string =>
  escapeTyped(text)
    .replaceAll('\n', '<br>\n')
    .replace(placeholders, (_placeholder, index) => state.parts[Number(index)]!.html)

/** Applies rules in order. Text that an earlier rule matched is hidden from later ones. */
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
