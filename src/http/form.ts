import { badRequest, ChatError } from '../core/errors.ts'

/** More names than any endpoint has, and few enough to be told back. */
const MAX_PARAMETERS = 1000

/** Parameters as they arrive: one text for each name. */
export class Received extends Map<string, string> {
  /** Names that the path gives; copies of them elsewhere say nothing. */
  readonly fixed: ReadonlySet<string>
  constructor(fixed: ReadonlySet<string>) {
    super()
    this.fixed = fixed
  }
  /** The same again is harmless; something else under the same name is not for us to choose from. */
  take(name: string, value: string): void {
    if (this.fixed.has(name)) return
    const known = this.get(name)
    if (known === value) return
    if (known !== undefined) {
      throw new ChatError('REQUEST_CONFUSING_VAR', `Argument '${name}' was sent twice with different values`, {
        var_name: name,
      })
    }
    if (this.size >= MAX_PARAMETERS) throw badRequest('Too many parameters')
    this.set(name, value)
  }
}

/** Reads application/x-www-form-urlencoded text; unlike URLSearchParams it refuses what is malformed. */
export function takeForm(received: Received, text: string): void {
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      const equals = text.indexOf('=', start)
      const split = equals === -1 || equals > end ? end : equals
      received.take(unescaped(text.slice(start, split)), split === end ? '' : unescaped(text.slice(split + 1, end)))
    }
    start = end + 1
  }
}

function unescaped(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw badRequest('Malformed form')
  }
}
