import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { DirectoryConfig } from '../../../network/ldap/directory.ts'
import { parseLdapUrl } from '../../../network/ldap/ldap-server.ts'
import { type AccountRules, accountRules, trustedDomain } from './account-rules.ts'

/** How people signed in whose password a directory checked. No provider of the file may have this name. */
export const LDAP = 'ldap'

const text = v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(2000, 'is too long'))
const attribute = v.pipe(text, v.regex(/^[A-Za-z][\w;.-]*$/, 'must be the name of an attribute'))
const filter = v.pipe(text, v.regex(/^\(.*\)$/s, 'must be a filter in parentheses, such as (objectClass=person)'))

/** Names of attributes, and the filter of people, by the `preset` of the file. */
const presets = {
  standard: {
    filter: '(objectClass=person)',
    attributes: { subject: 'entryUUID', username: 'uid', email: 'mail', name: 'cn', groups: 'memberOf' },
  },
  active_directory: {
    filter: '(&(objectCategory=person)(objectClass=user))',
    attributes: {
      subject: 'objectGUID',
      username: 'sAMAccountName',
      email: 'mail',
      name: 'displayName',
      groups: 'memberOf',
    },
  },
} as const

/** The member `ldap` of a sign-on file. */
export const ldapMember = v.strictObject({
  ...accountRules,
  sync: v.optional(accountRules.sync.wrapped, ['name', 'groups', 'role']),
  url: text,
  tls: v.optional(v.picklist(['starttls', 'none'], 'must be "starttls" or "none"')),
  ca_file: v.optional(text),
  preset: v.optional(v.picklist(['active_directory'], 'must be "active_directory"')),
  /** The account that reads the directory. */
  bind_dn: v.optional(text),
  bind_password: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  bind_password_file: v.optional(text),
  /** Names of people's entries, which then sign in themselves. */
  user_dn: v.optional(v.pipe(text, v.includes('{username}', 'must contain {username}'))),
  base: text,
  filter: v.optional(filter),
  attributes: v.optional(
    v.strictObject({
      subject: v.optional(attribute),
      username: v.optional(attribute),
      email: v.optional(attribute),
      name: v.optional(attribute),
      groups: v.optional(attribute),
    }),
    {},
  ),
  group_base: v.optional(text),
  group_filter: v.optional(filter),
  /** Domains whose addresses the directory may vouch for. */
  trusted_domains: v.optional(v.array(trustedDomain), ['*']),
  require: v.optional(v.strictObject({ any: v.pipe(v.array(text), v.minLength(1, 'must name a group')) })),
})

/** A directory whose people sign in with the passwords that they have there. */
export interface LdapSignOn {
  readonly rules: AccountRules
  readonly directory: DirectoryConfig
  /** Whether the server can list the people, which the nightly sync needs. */
  readonly isReadable: boolean
}

/**
 * Returns what the member `ldap` says.
 *
 * @throws Error that names the place and what to write there
 */
export function ldapOf(given: v.InferOutput<typeof ldapMember>): LdapSignOn {
  const { url, tls, ca_file, preset, bind_dn, bind_password, bind_password_file, user_dn, ...others } = given
  const { base, filter, attributes, group_base, group_filter, display_name = 'LDAP', ...rules } = others
  try {
    const password = passwordOf({ bind_dn, bind_password, bind_password_file })
    if (group_filter !== undefined && group_base === undefined) throw new Error('"group_filter" needs "group_base"')
    const names = presets[preset ?? 'standard']
    return {
      rules: { ...rules, name: LDAP, display_name },
      directory: {
        server: parseLdapUrl(url, { ...(tls && { tls }), ...(ca_file !== undefined && { ca_file }) }),
        reader: bind_dn === undefined ? undefined : { dn: bind_dn, password: password! },
        user_dn,
        base,
        filter: filter ?? names.filter,
        attributes: { ...names.attributes, ...(attributes as Partial<(typeof names)['attributes']>) },
        groups: group_base === undefined ? undefined : { base: group_base, filter: group_filter ?? '(objectClass=*)' },
      },
      isReadable: user_dn === undefined || bind_dn !== undefined,
    }
  } catch (error) {
    throw new Error(`ldap: ${(error as Error).message}`)
  }
}

function passwordOf(given: {
  bind_dn: string | undefined
  bind_password: string | undefined
  bind_password_file: string | undefined
}): string | undefined {
  const { bind_dn, bind_password, bind_password_file: file } = given
  const isGiven = bind_password !== undefined || file !== undefined
  if (bind_dn === undefined) {
    if (isGiven) throw new Error('"bind_password" needs "bind_dn"')
    return undefined
  }
  if ((bind_password === undefined) === (file === undefined)) {
    throw new Error('"bind_dn" needs either "bind_password" or "bind_password_file"')
  }
  if (file === undefined) return bind_password
  let password: string
  try {
    password = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`"bind_password_file" can't be read: ${(error as Error).message}`)
  }
  // Directories take an empty password for a bind without an account.
  if (password === '') throw new Error(`"bind_password_file" ${file} is empty`)
  return password
}
