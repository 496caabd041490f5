const MAX_LENGTH = 60

/**
 * Returns the name of the client program for messages: its `client` parameter, or the first product of its User-Agent.
 */
export function clientName(declared: string | undefined, userAgent: string | null): string {
  const name = declared?.replaceAll(/\p{Cc}/gu, '').trim()
  if (name) return [...name.toWellFormed()].slice(0, MAX_LENGTH).join('')
  return /^[\w!#$%&'*+.^`|~-]+/.exec(userAgent ?? '')?.[0].slice(0, MAX_LENGTH) ?? 'API'
}
