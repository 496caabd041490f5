import { RE2JS, RE2JSSyntaxException } from 're2js'
import { invalidField as invalid } from '../../kernel/errors.ts'
import type { Reverse } from './reverse.ts'
import { variablesOf } from './url-template.ts'

/** Throws unless pattern and templates are valid and have the same names in all. */
export function checkLinkifier(pattern: string, url_template: string, reverse: Reverse): void {
  const groups = groupsOf(pattern)
  const variables = variablesOf(url_template)
  if (!variables) throw invalid('url_template', 'Invalid URL template.')
  const first = (names: string[], others: string[]) => names.filter((name) => !others.includes(name)).sort()[0]
  const unknown = first(variables, groups)
  if (unknown !== undefined) {
    throw invalid('__all__', `Group '${unknown}' in URL template is not present in linkifier pattern.`)
  }
  const unused = first(groups, variables)
  if (unused !== undefined) {
    throw invalid('__all__', `Group '${unused}' in linkifier pattern is not present in URL template.`)
  }
  checkReverse(pattern, groups, reverse)
}

/**
 * The maximum number of instructions of a compiled pattern. A short one with counted repetitions can need many
 * thousands. The states that its engine builds for a text grow with the square of it. With 200, ten thousand hostile
 * characters take under 100 ms.
 */
const MAX_PROGRAM = 200

/** Error messages that clients know, if they differ from the engine's. */
const mistakes: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
}

/** The names of a pattern's groups. Throws for an invalid pattern. */
function groupsOf(pattern: string): string[] {
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() > MAX_PROGRAM) {
      throw invalid('pattern', 'Bad regular expression: pattern too large - compile failed')
    }
    return Object.keys(compiled.namedGroups())
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const description = error.getDescription()
    const where = error.getPattern()
    const what = `${mistakes[description] ?? description}${where ? `: ${where}` : ''}`
    throw invalid('pattern', `Bad regular expression: ${what}`)
  }
}

/** Throws unless these fit a valid pattern with these groups. */
function checkReverse(pattern: string, groups: readonly string[], reverse: Reverse): void {
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
