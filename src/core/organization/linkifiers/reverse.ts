import { RE2JS } from 're2js'
import * as v from 'valibot'
import { ChatError } from '../../kernel/errors.ts'
import { described, maxCharacters, text } from '../../kernel/fields.ts'
import { MAX_TEMPLATE_LENGTH, urlTemplate, variablesOf } from './url-template.ts'

/** How clients turn the URL of a match back into the text of it: they do when somebody pastes such a URL. */
export interface Reverse {
  example_input: string | null
  reverse_template: string | null
  alternative_url_templates: readonly string[]
}

const MAX_ALTERNATIVES = 20

const short = v.pipe(text, v.trim(), maxCharacters(MAX_TEMPLATE_LENGTH))

/** What is not given stays unchanged; an empty text removes. */
export const reverseParams = {
  example_input: described(v.nullish(short), 'A text that the pattern matches entirely; empty for none.'),
  reverse_template: described(
    v.nullish(short),
    'How the text of a match is made of the groups, such as `#{id}`; `{{` and `}}` are braces. Empty for none.',
  ),
  alternative_url_templates: described(
    v.nullish(v.pipe(v.array(urlTemplate), v.maxLength(MAX_ALTERNATIVES, '{name} has too many entries'))),
    'Further RFC 6570 templates of URLs that clients recognize, with the same variables.',
  ),
}
type Given = v.InferOutput<v.ObjectSchema<typeof reverseParams, undefined>>

/** What a linkifier has after a request. */
export const withGiven = (before: Reverse, given: Given): Reverse => ({
  example_input: given.example_input === '' ? null : (given.example_input ?? before.example_input),
  reverse_template: given.reverse_template === '' ? null : (given.reverse_template ?? before.reverse_template),
  alternative_url_templates: given.alternative_url_templates ?? before.alternative_url_templates,
})

export const invalid = (field: string, message: string): ChatError =>
  new ChatError('BAD_REQUEST', message, { errors: { [field]: [message] } })

/** Throws unless these fit a valid pattern with these groups. */
export function checkReverse(pattern: string, groups: readonly string[], reverse: Reverse): void {
  for (const template of reverse.alternative_url_templates) checkAlternative(groups, template)
  const { example_input: example, reverse_template: template } = reverse
  const found = example === null ? undefined : groupsIn(pattern, groups, example)
  if (template === null) return
  if (!found) throw invalid('reverse_template', 'A reverse template requires an example input.')
  if (filled(template, found) !== example) {
    throw invalid('reverse_template', "The reverse template doesn't produce the example input.")
  }
}

function checkAlternative(groups: readonly string[], template: string): void {
  const variables = variablesOf(template)
  if (!variables) throw invalid('alternative_url_templates', `Invalid URL template: ${template}`)
  if ([...variables].sort().join() !== [...groups].sort().join()) {
    throw invalid('alternative_url_templates', `The variables in ${template} don't match the groups in the pattern.`)
  }
}

/** The groups of a text that the whole pattern matches. */
function groupsIn(pattern: string, groups: readonly string[], text: string): Map<string, string> {
  const matcher = RE2JS.compile(pattern).matcher(text)
  if (!matcher.matches()) throw invalid('example_input', "The example input doesn't match the pattern.")
  return new Map(groups.map((name) => [name, matcher.group(name) ?? '']))
}

/** The text of a reverse template. */
function filled(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{\{|\}\}|\{(\w+)\}|[{}]/g, (part, name?: string) => {
    if (part === '{{' || part === '}}') return part[0]!
    const value = name === undefined ? undefined : values.get(name)
    if (name === undefined) throw invalid('reverse_template', 'Invalid reverse template.')
    if (value !== undefined) return value
    throw invalid('reverse_template', `Group '${name}' in the reverse template is not in the pattern.`)
  })
}
