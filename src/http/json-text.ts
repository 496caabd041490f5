/** Deeper values are rejected because they are processed recursively. */
export const MAX_JSON_DEPTH = 32

/** Returns the nesting depth of a JSON text, ignoring brackets in strings. */
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

/**
 * Returns the names of an object's own members as written, with quotes. JSON.parse would keep only the last of two
 * equal ones.
 */
export function memberNames(text: string): string[] {
  const names: string[] = []
  let depth = 0
  let name = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') {
      const end = endOfString(text, i)
      if (depth === 1) name = text.slice(i, end + 1)
      i = end
    } else if (c === '[' || c === '{') depth++
    else if (c === ']' || c === '}') depth--
    else if (c === ':' && depth === 1) names.push(name)
  }
  return names
}

/** Returns the index after the string that begins here. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  for (; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
  return i
}
