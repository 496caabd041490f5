import { domainToASCII, domainToUnicode } from 'node:url'
import { withLatinLetters } from './normal.ts'

/** The longest name of a host. */
const MAX_HOST_LENGTH = 253

/** Returns a host as the network knows it: in ASCII and lower case. Undefined for what can't be one. */
export function hostOf(text: string): string | undefined {
  if (text.length > MAX_HOST_LENGTH) return undefined
  const host = domainToASCII(text).replace(/\.$/, '')
  return host === '' ? undefined : host
}

/** Returns how a host looks to people: Latin letters in place of the ones that look the same. */
export const looksOf = (host: string): string =>
  host.includes('xn--') ? withLatinLetters(domainToUnicode(host).toLowerCase()) : host

/** Returns the hosts of a message: of its links, and names in its text that could be one. */
export function hostsIn(content: string, html: string): Set<string> {
  const hosts = new Set<string>()
  const add = (host: string | undefined) => {
    if (host !== undefined) hosts.add(host)
  }
  for (const [, quoted] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) add(hostOfUrl(quoted!.replaceAll('&amp;', '&')))
  for (const [run] of content.matchAll(/[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+/gu)) {
    if (/[.\u3002\uff0e\uff61]/.test(run)) add(hostOf(run.replace(/^[.-]+|[.-]+$/g, '')))
  }
  return hosts
}

function hostOfUrl(url: string): string | undefined {
  if (url.startsWith('mailto:')) return hostOf(url.slice(url.indexOf('@') + 1).split('?')[0]!)
  return URL.canParse(url) ? hostOf(new URL(url).hostname) : undefined
}

/** Returns a host and the domains that it belongs to: `a.b.c`, `b.c` and `c`. */
export function* domainsOf(host: string): Generator<string> {
  yield host
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}
