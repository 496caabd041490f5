/** Replaces KaTeX's output by `…`, since it changes with its versions. */
export function withoutFormulas(html: string): string {
  let result = ''
  let depth = 0
  for (const [part] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (depth > 0) {
      if (part.startsWith('<span')) depth++
      else if (part === '</span>') depth--
      if (depth === 0) result += '…</span>'
    } else {
      if (part === '<span class="katex">') depth = 1
      result += part
    }
  }
  return result
}
