import { untrusted } from './text.ts'

const PLACE = /\{([\w$-]+(?:\.[\w$-]+)*)\}/g
const MAX_VALUE_LENGTH = 4000

/**
 * A template with values of a payload in it: `{commit.author.name}`, `{items.0.title}`. What is not there is empty, and
 * what is no text is JSON. Braces around anything else stay.
 *
 * @example
 * filled('**{title}** by {user.name}', { title: 'Alas', user: { name: 'Yorick' } }) // '**Alas** by Yorick'
 */
export const filled = (template: string, payload: unknown): string =>
  template.replace(PLACE, (_, path: string) => shown(valueAt(payload, path.split('.'))))

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return untrusted(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_LENGTH)
}
