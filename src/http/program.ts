const MAX_LENGTH = 60

/** The program that speaks, as messages show it: what it says it is, else the first product of its User-Agent. */
export function programOf(client: string | undefined, userAgent: string | null): string {
  const said = client?.replaceAll(/\p{Cc}/gu, '').trim()
  if (said) return [...said.toWellFormed()].slice(0, MAX_LENGTH).join('')
  return /^[\w!#$%&'*+.^`|~-]+/.exec(userAgent ?? '')?.[0].slice(0, MAX_LENGTH) ?? 'API'
}
