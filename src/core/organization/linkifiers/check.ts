import { RE2JS, RE2JSSyntaxException } from 're2js'
import { ChatError } from '../../kernel/errors.ts'
import { variablesOf } from './url-template.ts'

/**
 * Instructions a pattern may compile to; a short one with counted repetitions can need many thousands. The states that its
 * engine builds for a text grow with the square of it: with 200, ten thousand hostile characters take under 100 ms.
 */
const MAX_PROGRAM = 200

/** Error messages that clients know, where those of the engine differ. */
const mistakes: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
}

const invalid = (field: string, message: string): ChatError =>
  new ChatError('BAD_REQUEST', message, { errors: { [field]: [message] } })

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

/** Throws unless pattern and template are valid and have the same names in both. */
export function checkLinkifier(pattern: string, url_template: string): void {
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
}
