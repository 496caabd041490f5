import { tag } from '../html.ts'
import type { RenderState } from '../state.ts'
import { hrefOf, uploadPath } from './addresses.ts'
import { mediaHtml } from './media.ts'
import { applyPasses, asPlain, asTyped, decodeTyped, keep, type Pass } from './passes.ts'

/** Renders a link and records it. `html` is its label, `text` the same without markup. */
export function keepLink(state: RenderState, href: string, html: string, text: string, title?: string): string {
  state.hasLink = true
  state.links.push({ href, text: asPlain(state, text) })
  const path = uploadPath(href)
  if (path) state.attachmentPaths.add(path)
  return keep(state, `${tag('a', { href, title })}${html}</a>`)
}

/** For each opening bracket of a text, the index of the one that closes it. */
function partners(text: string): Map<number, number> {
  const found = new Map<number, number>()
  const open: Record<string, number[]> = { ']': [], ')': [] }
  for (const { 0: bracket, index } of text.matchAll(/[[\]()]/g)) {
    if (bracket === '[') open[']']!.push(index)
    else if (bracket === '(') open[')']!.push(index)
    else {
      const start = open[bracket]!.pop()
      if (start !== undefined) found.set(start, index)
    }
  }
  return found
}

interface Destination {
  url: string
  title?: string
  end: number
}

const pointed = /\(\s*<([^<>]*)>\s*(?:('[^']*'|"[^"]*")\s*)?\)/y

/** `(url)`, `(url "title")` or `(<url> "title")` at an index of the text. */
function destinationAt(text: string, start: number, closing: ReadonlyMap<number, number>): Destination | undefined {
  if (text[start] !== '(') return undefined
  pointed.lastIndex = start
  const match = pointed.exec(text)
  if (match) return { url: match[1]!, end: pointed.lastIndex, ...(match[2] && { title: match[2].slice(1, -1) }) }
  const end = closing.get(start)
  if (end === undefined) return undefined
  const inside = text.slice(start + 1, end)
  const trimmed = inside.trimEnd()
  const quote = trimmed.at(-1)
  const open = quote === '"' || quote === "'" ? trimmed.indexOf(quote) : -1
  if (open < 0 || open === trimmed.length - 1) return { url: inside, end: end + 1 }
  return { url: inside.slice(0, open), title: trimmed.slice(open + 1, -1), end: end + 1 }
}

/** `[name](address "title")`, and the same after `!` for uploaded images and audio files. Of the other rules only `inName` apply to its label. */
export const links =
  (inName: readonly Pass[]): Pass =>
  (text, state, inside) => {
    if (!text.includes('](')) return text
    const closing = partners(text)
    let result = ''
    let from = 0
    for (const { index } of text.matchAll(/\[/g)) {
      const isMedia = text[index - 1] === '!'
      const end = closing.get(index)
      if (index < from || end === undefined) continue
      const destination = destinationAt(text, end + 1, closing)
      const href = destination && hrefOf(decodeTyped(destination.url), state.context.realmUrl, state.context.basePath)
      if (!destination || href === undefined || `${destination.url}${destination.title}`.includes('\x81')) continue
      const name = asTyped(state, text.slice(index + 1, end))
      if (isMedia) {
        const media = mediaHtml(state, href, name.trim(), destination.title && decodeTyped(destination.title))
        if (media === undefined) continue
        result += text.slice(from, index - 1) + keep(state, media, text.slice(index - 1, destination.end))
        from = destination.end
        continue
      }
      const shown = name.trim() === '' ? href : name
      result += text.slice(from, index)
      // Its label stays apart from the text around it: between two colons, it doesn't name an emoji.
      if (href === '') result += keep(state, inside(shown))
      else
        result += keepLink(
          state,
          href,
          applyPasses(inName, shown, state),
          shown,
          destination.title && decodeTyped(destination.title),
        )
      from = destination.end
    }
    return result + text.slice(from)
  }
