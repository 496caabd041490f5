/** Values that stay unchanged: isolated ones, and addresses of pages, which programs turn into links. */
const UNCHANGED = /^(?:[\u2066-\u2068].*\u2069|https?:.*)?$/s

/** Texts that are names themselves. People search for them, and other texts isolate them. */
const names = ['guest']

/** Isolates the direction of a name, a date or a number. Otherwise Latin letters and punctuation beside it change places. */
function isolate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(isolate)
  return typeof value !== 'string' || (UNCHANGED.test(value) && isBalanced(value))
    ? value
    : `\u2068${isBalanced(value) ? value : value.replace(/[\u2066-\u2069]/g, '')}\u2069`
}

/** Whether each isolate inside, such as a date in an excerpt, ends there. Another character would end the outer one. */
function isBalanced(value: string): boolean {
  let open = 0
  for (const character of value.match(/[\u2066-\u2069]/g) ?? []) {
    open += character === '\u2069' ? -1 : 1
    if (open < 0) return false
  }
  return open === 0
}

/** Returns the texts of a language that is written from right to left. Each isolates what is put into it. */
export const isolating = <T extends object>(texts: T): T =>
  (Array.isArray(texts)
    ? texts.map((text) => isolatingText(text))
    : Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, isolatingText(text, name)]))) as T

function isolatingText(text: unknown, name = ''): unknown {
  if (typeof text === 'function') {
    return names.includes(name) ? text : (...values: unknown[]) => text(...values.map(isolate))
  }
  return text !== null && typeof text === 'object' ? isolating(text) : text
}
