import type { MarkdownIt, Token } from 'markdown-it'
import { guardRule } from './guard-rule.ts'
import { type Rendering, renderingOf } from './rendering.ts'

/** Schemes a link may have, with what must follow. All else, `javascript:` and `data:` first, stays text. */
const safeSchemes = /^(?:https?:\/\/[^/?#]|mailto:[^/]|tel:[^/]|xmpp:[^/])/i
const ownPath = /^(?:\/(?!\/)|#|\?)/

/** Whether a link may lead there. Asked after `complete`, so a link without a scheme is one to our own server. */
export function isSafeUrl(url: string): boolean {
  // Browsers drop control characters and read a backslash as a slash, which would make another address of it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0020\\]/.test(url) && (safeSchemes.test(url) || ownPath.test(url))
}

/** Adds the scheme that people leave out: `example.com/x`, `localhost:9991`, `me@example.com`. */
function complete(url: string): string {
  if (url.startsWith('//')) return `https:${url}`
  // What has a blank in its host is no host.
  if (url === '' || ownPath.test(url) || /^[^/?#]*[\s\p{Cc}]/u.test(url)) return url
  const scheme = /^([a-z][a-z0-9+.-]*):(\d{1,5}(?:[/?#]|$))?/i.exec(url)
  if (scheme && scheme[2] === undefined) return url
  return /^[^/@\s]+@[^/@\s]+$/.test(url) ? `mailto:${url}` : `http://${url}`
}

/** Links to our own messages and files lose the origin, so they work under every name of the server. */
function localPath(href: string, realmUrl: string): string {
  if (realmUrl === '' || href.slice(0, realmUrl.length).toLowerCase() !== realmUrl.toLowerCase()) return href
  const path = href.slice(realmUrl.length)
  return /^\/(?:#|user_uploads\/)/.test(path) ? path : href
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The path of an upload after `/user_uploads/`, or undefined for an address of something else. */
export function uploadPath(href: string): string | undefined {
  const match = /^\/user_uploads\/((?!thumbnail\/|temporary\/|download\/)[^?#]+)/.exec(href)
  const path = match && decoded(match[1]!)
  return path && !path.split('/').includes('..') ? path : undefined
}

function noteLink(rendering: Rendering, token: Token, href: string) {
  token.attrs = [['href', href]]
  rendering.hasLink = true
  const path = uploadPath(href)
  if (path) rendering.attachmentPaths.add(path)
}

/** Notes the links of one text; a link to nowhere is only its text, and one without a text shows where it leads. */
function finishLinks(rendering: Rendering, children: Token[], TokenClass: typeof Token): Token[] {
  const result: Token[] = []
  let href = ''
  for (const [index, child] of children.entries()) {
    result.push(child)
    if (child.type === 'link_close') child.hidden = href === ''
    if (child.type !== 'link_open') continue
    href = localPath(String(child.attrGet('href')), rendering.context.realmUrl)
    if (href === '') child.hidden = true
    else noteLink(rendering, child, href)
    if (children[index + 1]?.type !== 'link_close') continue
    const text = new TokenClass('text', '', 0)
    text.content = href
    result.push(text)
  }
  return result
}

/** Decides where links of every kind may lead, and notes those there are. */
export function links(md: MarkdownIt) {
  const normalize = md.normalizeLink.bind(md)
  md.normalizeLink = (url) => normalize(complete(url))
  md.validateLink = isSafeUrl
  // Links do not nest, whatever the name of one may hold.
  for (const rule of ['link', 'autolink']) guardRule(md.inline.ruler, rule, (state) => state.linkLevel > 0)
  // People see what was typed; decoding it for display could make one address look like another.
  md.normalizeLinkText = (url) => url
  md.core.ruler.push('finish_links', ({ tokens, env, Token }) => {
    for (const token of tokens) {
      if (token.children) token.children = finishLinks(renderingOf(env), token.children, Token)
    }
  })
}
