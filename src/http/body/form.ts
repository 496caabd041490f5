import { badRequest } from '../../core/kernel/errors.ts'
import type { Parameters } from '../parameters.ts'

/** Reads application/x-www-form-urlencoded text. Unlike URLSearchParams, it rejects malformed text. */
export function readForm(parameters: Parameters, text: string): void {
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      const equals = text.indexOf('=', start)
      const split = equals === -1 || equals > end ? end : equals
      parameters.addText(
        unescaped(text.slice(start, split)),
        split === end ? '' : unescaped(text.slice(split + 1, end)),
      )
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
