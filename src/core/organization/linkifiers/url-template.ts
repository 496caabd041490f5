import * as v from 'valibot'
import { text } from '../../kernel/fields.ts'

// RFC 6570, section 2: an operator, names of letters, digits, underscores and encoded bytes, and modifiers.
const name = '(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*'
const variable = `${name}(?::[1-9][0-9]{0,3}|\\*)?`
const expression = new RegExp(`^[+#./;?&]?${variable}(?:,${variable})*$`)

export const MAX_TEMPLATE_LENGTH = 2000

export const urlTemplate = v.pipe(
  text,
  v.trim(),
  v.nonEmpty('This field cannot be blank.'),
  v.maxLength(MAX_TEMPLATE_LENGTH, `{name} is too long (limit: ${MAX_TEMPLATE_LENGTH} characters)`),
)

/** The names of a template's variables, or undefined if it is not an RFC 6570 template. */
export function variablesOf(template: string): string[] | undefined {
  const names: string[] = []
  for (const [part, inside] of template.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (part === '{' || part === '}') return undefined
    if (inside === undefined) continue
    if (!expression.test(inside)) return undefined
    for (const one of inside.replace(/^[+#./;?&]/, '').split(',')) names.push(one.replace(/:\d+$|\*$/, ''))
  }
  return [...new Set(names)]
}
