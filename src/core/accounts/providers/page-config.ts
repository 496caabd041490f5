import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { invalidField } from '../../kernel/errors.ts'
import { roleNames } from '../../kernel/roles.ts'
import { completed, explain, type ProviderConfig, providerMember, reservedNames } from './config.ts'

const { name, client_secret: _, client_secret_file: __, ...members } = providerMember.entries
const grantable = roleNames.filter((role) => role !== 'owner')

/** A provider as owners set it up in the page: it reads no file, and its claims make nobody an owner. */
const pageMember = v.strictObject({
  ...members,
  roles: v.optional(v.record(v.string(), v.picklist(grantable, `must be one of ${grantable.join(', ')}`)), {}),
  /** Addresses of accounts that may use a password although `required_for` has their domain. */
  break_glass: v.optional(v.array(v.pipe(v.string(), v.trim(), v.maxLength(320, 'is too long'))), []),
  /** Confirms that "*" is meant in `trusted_domains`. */
  trust_all_domains: v.optional(v.boolean('must be true or false'), false),
})

/** Members of a provider, as JSON. */
export type PageMembers = v.InferOutput<typeof pageMember>

const MAX_LENGTH = 20_000

/**
 * Checks the members of a provider that come from the page.
 *
 * @throws BAD_REQUEST that names the member and what to write there
 */
export function checkMembers(given: unknown): PageMembers {
  const checked = v.safeParse(pageMember, given)
  if (!checked.success) throw atMember(explain(checked.issues[0]))
  if (JSON.stringify(checked.output).length > MAX_LENGTH) throw atMember('The settings of the provider are too long')
  return checked.output
}

/** @throws BAD_REQUEST if a provider is to vouch for every address, and nobody confirmed that it is trusted for that */
export function requireDomainsConfirmed({ trusted_domains, trust_all_domains }: PageMembers): void {
  if (!trusted_domains.includes('*') || trust_all_domains) return
  throw atMember(
    '"trusted_domains" has "*", so this provider can sign people in to any account except owners\'. Name the domains, or confirm with "trust_all_domains": true',
  )
}

/** @throws BAD_REQUEST for a name that no provider may have */
export function checkName(given: string): string {
  const checked = v.safeParse(name, given)
  if (!checked.success) throw invalidField('name', `"name" ${checked.issues[0].message}`)
  if (reservedNames.includes(checked.output)) throw invalidField('name', `No provider can have the name "${given}"`)
  return checked.output
}

/**
 * Returns the configuration of a provider from the page.
 *
 * @throws BAD_REQUEST for members that don't fit together
 */
export function configOf(name: string, members: PageMembers, client_secret: string | undefined): ProviderConfig {
  const { break_glass: _, trust_all_domains: __, ...given } = members
  if (given.preset === 'github' && client_secret === undefined) throw atMember('"client_secret" is missing')
  try {
    const config = completed({ ...given, name, ...(client_secret !== undefined && { client_secret }) })
    return { ...config, is_from_page: true }
  } catch (error) {
    throw atMember((error as Error).message)
  }
}

/** Keys of the addresses that keep their passwords. */
export const emergencyKeys = ({ break_glass }: PageMembers): string[] => break_glass.map(addressKey)

/** An error beside the field that its sentence begins with. */
function atMember(sentence: string) {
  const [, member] = /^"(\w+)/.exec(sentence) ?? []
  return invalidField(member ?? 'provider', sentence)
}
