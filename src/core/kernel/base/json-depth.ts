/** Deeper values are rejected, because they are processed recursively. */
export const MAX_JSON_DEPTH = 32

/** The nesting depth of a JSON text, ignoring brackets in strings. */
export function depthOf(text: string): number {
  if (!/[[{]/.test(text)) return 0
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') i = endOfString(text, i)
    else if (c === '[' || c === '{') deepest = Math.max(deepest, ++depth)
    else if (c === ']' || c === '}') depth--
  }
  return deepest
}

/** The index of the end of the string that begins here. */
export function endOfString(text: string, start: number): number {
  let i = start + 1
  for (; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
  return i
}
