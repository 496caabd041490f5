import { endOfString } from '../core/kernel/base/json-depth.ts'

/**
 * Returns the names of an object's own members as written, with quotes. JSON.parse would keep only the last of two
 * equal names.
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
