const HERE = 'http://here.invalid'

/**
 * Returns a path of this server to go to after the sign-in, or undefined for anything that could lead elsewhere.
 * Browsers remove tabs and line breaks, read a backslash as a slash, and two slashes as the beginning of a host.
 */
export function nextPath(given: string | null | undefined): string | undefined {
  if (!given || given.length > 2000 || !given.startsWith('/') || /[\p{Cc}\\]/u.test(given)) return undefined
  const url = URL.parse(given, HERE)
  if (url?.origin !== HERE) return undefined
  // Dots in the path are resolved by now, so `/..//host` is seen as what it is.
  const path = url.href.slice(HERE.length)
  return /^\/(?:\/|%2f|%5c)/i.test(path) ? undefined : path
}
