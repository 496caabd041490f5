import * as v from 'valibot'
import { id } from './values.ts'

/**
 * A pattern whose matches become links; the URL is an RFC 6570 template whose variables are the pattern's named
 * groups.
 */
export const linkifierShape = v.strictObject({
  id,
  pattern: v.string(),
  url_template: v.string(),
  /** A text that the pattern matches, from which the reverse template was checked. */
  example_input: v.nullable(v.string()),
  /** Template that turns the groups back into the text of a match. */
  reverse_template: v.nullable(v.string()),
  /** Further URLs that clients turn into that text. */
  alternative_url_templates: v.array(v.string()),
})
export type LinkifierView = v.InferOutput<typeof linkifierShape>

/** Where code in a language can be tried. `code` is the only variable of its URL template. */
export const playgroundShape = v.strictObject({
  id,
  name: v.string(),
  /** The language as in `data-code-language` of rendered code. */
  pygments_language: v.string(),
  url_template: v.string(),
})
export type PlaygroundView = v.InferOutput<typeof playgroundShape>
