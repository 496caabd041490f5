import { RE2JS, RE2JSSyntaxException } from 're2js'
import { invalidField } from '../../kernel/errors.ts'

/** The maximum number of instructions of one compiled pattern, and of all of them together. */
const MAX_PROGRAM = 100
export const MAX_PROGRAMS = 500

/** Compiles a pattern. Its engine takes time linear in the text, whatever the pattern. */
export function testerOf(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  return (text) => compiled.test(text)
}

/** Returns the number of instructions of a pattern. Throws for an invalid or too large one. */
export function programSize(pattern: string): number {
  try {
    const size = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize()
    if (size > MAX_PROGRAM) throw invalidField('pattern', 'This pattern is too complex.')
    if (testerOf(pattern)('')) throw invalidField('pattern', 'This pattern matches every text.')
    return size
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw invalidField('pattern', `Bad regular expression: ${error.getDescription()}`)
  }
}
