import * as v from 'valibot'
import { described, maxCharacters, text } from '../../kernel/fields.ts'
import { MAX_TEMPLATE_LENGTH, urlTemplate } from './url-template.ts'

/** How clients turn the URL of a match back into its text, when someone pastes such a URL. */
export interface Reverse {
  example_input: string | null
  reverse_template: string | null
  alternative_url_templates: readonly string[]
}

const MAX_ALTERNATIVES = 20

const short = v.pipe(text, v.trim(), maxCharacters(MAX_TEMPLATE_LENGTH))

/** Missing parameters stay unchanged. An empty text removes a value. */
export const reverseParams = {
  example_input: described(v.nullish(short), 'A sample text that matches the entire pattern, or empty for none.'),
  reverse_template: described(
    v.nullish(short),
    'Template that turns the groups back into text, such as `#{id}`, or empty for none. `{{` and `}}` are literal braces.',
  ),
  alternative_url_templates: described(
    v.nullish(v.pipe(v.array(urlTemplate), v.maxLength(MAX_ALTERNATIVES, '{name} has too many entries'))),
    'More RFC 6570 templates for URLs that clients recognize, with the same variables.',
  ),
}
type Given = v.InferOutput<v.ObjectSchema<typeof reverseParams, undefined>>

/** A linkifier's values after a request. */
export const withGiven = (before: Reverse, given: Given): Reverse => ({
  example_input: given.example_input === '' ? null : (given.example_input ?? before.example_input),
  reverse_template: given.reverse_template === '' ? null : (given.reverse_template ?? before.reverse_template),
  alternative_url_templates: given.alternative_url_templates ?? before.alternative_url_templates,
})
