import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { type AccountRules, accountRules, EVERYBODY, trustedDomain } from './account-rules.ts'
import { JWT, type JwtSignOn, jwtMember, jwtOf } from './jwt.ts'
import { LDAP, type LdapSignOn, ldapMember, ldapOf } from './ldap.ts'
import { type Preset, presetNames, presets } from './presets.ts'
import { PROXY, type ProxySignOn, proxyMember, proxyOf } from './proxy.ts'

const text = v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(2000, 'is too long'))
const name = v.pipe(
  text,
  v.regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'may have only a-z, 0-9 and "-", and at most 31 characters'),
)
const https = v.pipe(
  text,
  v.check((url) => URL.canParse(url) && new URL(url).protocol === 'https:', 'must be an address with https://'),
)

export const providerMember = v.strictObject({
  ...accountRules,
  name,
  preset: v.optional(v.picklist(presetNames, `must be one of ${presetNames.join(', ')}`)),
  issuer: v.optional(https),
  client_id: text,
  client_secret: v.optional(text),
  client_secret_file: v.optional(text),
  scopes: v.optional(v.array(text)),
  /** Domains whose addresses this provider may vouch for. */
  trusted_domains: v.optional(v.array(trustedDomain), []),
  /** Whether each address from this provider is verified, whatever its claims say. */
  verified_addresses: v.optional(v.boolean(), false),
  require: v.optional(v.strictObject({ claim: text, any: v.pipe(v.array(text), v.minLength(1, 'must name a value')) })),
  claims: v.optional(
    v.strictObject({
      subject: v.optional(text),
      email: v.optional(text),
      email_verified: v.optional(text),
      name: v.optional(text),
      picture: v.optional(text),
      groups: v.optional(text),
      role: v.optional(text),
    }),
    {},
  ),
  /** Domains whose people must sign in here instead of with a password; "*" is everybody. */
  required_for: v.optional(v.array(trustedDomain), []),
})

const file = v.strictObject({
  providers: v.pipe(v.array(providerMember), v.maxLength(50, 'may have at most 50 providers')),
  passwords: v.optional(v.picklist(['allowed', 'break_glass'], 'must be "allowed" or "break_glass"'), 'allowed'),
  /** Addresses of accounts that may always use a password. */
  break_glass: v.optional(v.array(text), []),
  /** What the proxy of `--user-header` may do. */
  proxy: v.optional(proxyMember),
  /** Who signs JSON web tokens, and what these may do. */
  jwt: v.optional(jwtMember),
  /** The directory that checks people's passwords. */
  ldap: v.optional(ldapMember),
})

type Given = v.InferOutput<typeof providerMember>
type Claim = 'subject' | 'email' | 'email_verified' | 'name' | 'picture' | 'groups' | 'role'

/** An identity provider, with everything that its preset fills in. */
export interface ProviderConfig
  extends AccountRules,
    Omit<Given, 'preset' | 'claims' | 'client_secret_file' | 'issuer' | 'scopes' | keyof AccountRules> {
  readonly require?: Given['require']
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly type: 'oidc' | 'github'
  readonly claims: Readonly<Record<Claim, string>>
}

/** Returns whether the people of a domain must sign in with a provider; everybody without a domain. */
export const isRequired = ({ required_for }: ProviderConfig, domain = '*'): boolean =>
  required_for.includes('*') || required_for.includes(domain)

export interface SignOnConfig {
  readonly providers: readonly ProviderConfig[]
  readonly passwords: 'allowed' | 'break_glass'
  /** Keys of addresses. */
  readonly break_glass: ReadonlySet<string>
  readonly proxy: ProxySignOn | undefined
  readonly jwt: JwtSignOn | undefined
  readonly ldap: LdapSignOn | undefined
}

const standard: Readonly<Record<Claim, string>> = {
  subject: 'sub',
  email: 'email',
  email_verified: 'email_verified',
  name: 'name',
  picture: 'picture',
  groups: 'groups',
  role: 'role',
}

/**
 * Checks the content of a sign-on file.
 *
 * @param userHeader - the headers in which a proxy names people, if there is such a proxy
 * @throws Error that names the place and what to write there
 */
export function readSignOn(content: unknown, userHeader?: string): SignOnConfig {
  const checked = v.safeParse(file, content)
  if (!checked.success) throw new Error(explain(checked.issues[0]))
  const { providers, passwords, break_glass, proxy, jwt, ldap } = checked.output
  const complete = providers.map((one) => completed(one, `provider "${one.name}": `))
  const names = complete.map((one) => one.name)
  const twice = names.find((one, i) => names.indexOf(one) !== i)
  if (twice) throw new Error(`two providers have the name "${twice}"`)
  if (passwords === 'break_glass' && break_glass.length === 0) {
    throw new Error(
      '"passwords" is "break_glass", so "break_glass" must list an owner who can sign in if a provider fails',
    )
  }
  if (passwords === 'break_glass' && complete.length === 0 && userHeader === undefined && !ldap) {
    throw new Error('"passwords" is "break_glass", so "providers" must have a provider')
  }
  const reserved = reservedNames.find((name) => names.includes(name))
  if (reserved) throw new Error(`no provider can have the name "${reserved}"`)
  if (proxy && userHeader === undefined) throw new Error('"proxy" needs --user-header')
  return {
    providers: complete,
    passwords,
    break_glass: new Set(break_glass.map(addressKey)),
    proxy: userHeader === undefined ? undefined : proxyOf(userHeader, proxy ?? v.parse(proxyMember, {})),
    jwt: jwt && jwtOf(jwt),
    ldap: ldap && ldapOf(ldap),
  }
}

/** How people signed in who used no provider, which no provider may be called. */
export const reservedNames: readonly string[] = [PROXY, JWT, LDAP]

/**
 * Fills in what the preset of a provider knows.
 *
 * @param place - what an error begins with
 * @throws Error for members that don't fit together
 */
export function completed({ preset: named, client_secret_file, ...given }: Given, place = ''): ProviderConfig {
  const preset: Preset | undefined = named && presets[named]
  const at = (problem: string) => new Error(place + problem)
  const issuer = given.issuer ?? preset?.issuer
  if (issuer === undefined) throw at('"issuer" is missing')
  const form = preset?.issuer_form
  if (form && !form.pattern.test(issuer)) throw at(`"issuer" must look like ${form.example}`)
  if (given.client_secret !== undefined && client_secret_file !== undefined) {
    throw at('give "client_secret" or "client_secret_file", not both')
  }
  if (given.verified_addresses && (given.trusted_domains.length === 0 || given.trusted_domains.includes('*'))) {
    throw at('"verified_addresses" needs "trusted_domains" with the domains that belong to this provider')
  }
  if (given.create !== 'never' && given.trusted_domains.length === 0) {
    throw at('"create" needs "trusted_domains", because accounts are only created for addresses of these domains')
  }
  const secret = client_secret_file === undefined ? given.client_secret : secretIn(client_secret_file, at)
  const type = preset?.type ?? 'oidc'
  if (type === 'github' && secret === undefined) throw at('GitHub needs "client_secret" or "client_secret_file"')
  // Everybody is in the group "*", whatever the provider says.
  const unsaid = (['require', 'groups', 'roles', 'channels'] as const).find((key) =>
    Object.keys(given[key] ?? {}).some((theirs) => theirs !== EVERYBODY || key === 'roles'),
  )
  if (type === 'github' && unsaid) throw at(`GitHub has no claims, so "${unsaid}" can't be used`)
  return {
    ...given,
    ...(secret !== undefined && { client_secret: secret }),
    display_name: given.display_name ?? preset?.display_name ?? given.name,
    issuer,
    type,
    scopes: given.scopes ?? preset?.scopes ?? ['openid', 'email', 'profile'],
    claims: { ...standard, ...preset?.claims, ...(given.claims as Partial<Record<Claim, string>>) },
  }
}

function secretIn(path: string, at: (problem: string) => Error): string {
  let secret: string
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw at(`"client_secret_file" can't be read: ${(error as Error).message}`)
  }
  if (secret === '') throw at(`"client_secret_file" ${path} is empty`)
  return secret
}

/** Returns a sentence with the place of a problem, such as `providers[0].name`. */
export function explain(issue: v.BaseIssue<unknown>): string {
  const place = (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
  if (issue.kind === 'schema' && issue.type === 'strict_object') {
    // valibot names a missing member in quotes.
    if (issue.expected?.startsWith('"')) return `"${place}" is missing`
    return issue.expected === 'never'
      ? `"${place}" is unknown`
      : `"${place || 'the file'}" must be an object with its members`
  }
  const isOwn = issue.kind === 'validation' || ['picklist', 'union'].includes(issue.type)
  if (isOwn) return `"${place}" ${issue.message}`
  if (issue.received === 'undefined') return `"${place}" is missing`
  return `"${place || 'the file'}" must be ${article(issue.expected ?? 'valid')}, not ${issue.received}`
}

const article = (expected: string): string => (/^[ao]/i.test(expected) ? `an ${expected}` : `a ${expected}`)
