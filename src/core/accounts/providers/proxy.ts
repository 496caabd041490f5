import * as v from 'valibot'
import { type AccountRules, accountRules, trustedDomain } from './account-rules.ts'

/** How people signed in whom a proxy named. No provider of the file may have this name. */
export const PROXY = 'proxy'

/** The member `proxy` of a sign-on file. */
export const proxyMember = v.strictObject({
  ...accountRules,
  /** Completes names that are no addresses. */
  domain: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.regex(/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/, 'must be a domain such as example.com'),
    ),
  ),
  trusted_domains: v.optional(v.array(trustedDomain), ['*']),
})

/** A proxy that has signed people in, and names them in headers. */
export interface ProxySignOn {
  /** In lower case. */
  readonly header: string
  readonly groups_header: string | undefined
  readonly domain: string | undefined
  readonly rules: AccountRules
}

// What RFC 9110 calls a token.
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/

/** Headers that every client sends, or that name something else. */
const OTHERS =
  /^(?:authorization|connection|content-.*|cookie|host|origin|referer|sec-.*|user-agent|x-forwarded-(?:for|host|proto))$/

/**
 * Returns the proxy of `--user-header`, as `X-Remote-User` or `X-Remote-User:X-Remote-Groups`.
 *
 * @throws Error for invalid names
 */
export function proxyOf(headers: string, member: v.InferOutput<typeof proxyMember>): ProxySignOn {
  const [header = '', groups_header, ...more] = headers
    .toLowerCase()
    .split(':')
    .map((name) => name.trim())
  const names = [header, ...(groups_header === undefined ? [] : [groups_header])]
  if (
    more.length > 0 ||
    names.some((name) => !HEADER.test(name) || OTHERS.test(name)) ||
    new Set(names).size < names.length
  ) {
    throw new Error(
      `--user-header ${headers} must name a header such as X-Remote-User, or two: X-Remote-User:X-Remote-Groups`,
    )
  }
  const { domain, display_name = 'SSO', ...rules } = member
  return { header, groups_header, domain, rules: { ...rules, name: PROXY, display_name } }
}
