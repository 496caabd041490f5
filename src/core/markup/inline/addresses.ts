/** Schemes a link may have: the web's own, and those that HTML considers safe for external handlers. */
const schemes =
  'bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'
const safeScheme = new RegExp(`^(?:https?://[^/?#]|ftp://[^/?#]|(?:${schemes.replaceAll(' ', '|')}):[^/])`, 'i')
const ownPath = /^(?:\/(?!\/)|#|\?)/

/**
 * Whether a link may have this URL. Anything else stays text: `javascript:`, `data:`, and also `file:`, which
 * programs outside the browser follow to other machines.
 */
function isSafeUrl(url: string): boolean {
  // Browsers drop control characters and read a backslash as a slash, which would make it another URL. A label may be the
  // URL, which must not contain placeholders of the renderer.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0020\\\u0081\u008d]/.test(url) && (safeScheme.test(url) || ownPath.test(url))
}

/** Adds the scheme that people leave out: `example.com/x`, `localhost:9991`, `me@example.com`. */
function complete(url: string): string {
  if (url.startsWith('//')) return `https:${url}`
  // A host contains no spaces.
  if (url === '' || ownPath.test(url) || /^[^/?#]*[\s\p{Cc}]/u.test(url)) return url
  const scheme = /^([a-z][a-z0-9+.-]*):(\d{1,5}(?:[/?#]|$))?/i.exec(url)
  if (scheme && scheme[2] === undefined) return url
  return /^[^/@\s]+@[^/@\s]+$/.test(url) ? `mailto:${url}` : `http://${url}`
}

/** Links to our own messages and files lose origin and base path, so they work under every address of the server. */
function withoutOrigin(href: string, realmUrl: string, basePath: string): string {
  const isOwn = realmUrl !== '' && href.slice(0, realmUrl.length).toLowerCase() === realmUrl.toLowerCase()
  const isBelow = basePath !== '' && href.startsWith(`${basePath}/`)
  if (!isOwn && !isBelow) return href
  const path = href.slice(isOwn ? realmUrl.length : basePath.length)
  if (path.startsWith('/#')) return path.slice(1)
  return path.startsWith('/user_uploads/') ? path : href
}

/** The URL of a typed address, or undefined if links to it are not allowed. */
export function hrefOf(typed: string, realmUrl: string, basePath = ''): string | undefined {
  const url = complete(typed.trim()).replaceAll(' ', '%20').replaceAll('\\', '%5C')
  if (url === '') return ''
  return isSafeUrl(url) ? withoutOrigin(url, realmUrl, basePath) : undefined
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
