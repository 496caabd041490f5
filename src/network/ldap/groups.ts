import type { Entry } from 'ldapts'
import { firstValue, nameKey, valuesOf } from './entry.ts'
import type { LdapConnection } from './ldap-connection.ts'
import { loadLdapts } from './ldap-package.ts'

/** Where groups list their members. */
export interface GroupSearch {
  readonly base: string
  /** In the form of RFC 4515. */
  readonly filter: string
}

/** A person's groups, each by its name and its short name. */
export interface DirectoryGroup {
  readonly dn: string
  readonly name: string
}

/** A member, as a group lists them. */
interface Member {
  readonly dn: string
  readonly username: string | undefined
}

/** How deep groups in groups are followed. */
const MAX_DEPTH = 8
const MEMBER_ATTRIBUTES = ['member', 'uniqueMember']
/** Lists user names, in groups of POSIX systems. */
const USER_NAMES = 'memberUid'

/** Returns the names of the groups that directly contain one of these members. */
export type FindGroups = (members: readonly Member[]) => Promise<readonly string[]>

/** Returns all groups of a person: those that the entry lists, those that list the person, and the groups around them. */
export async function groupsAround(
  person: Member & { memberOf: readonly string[] },
  find: FindGroups,
): Promise<DirectoryGroup[]> {
  const found = new Map<string, string>()
  // Groups that contain each other are visited once.
  const add = (dns: readonly string[]) =>
    dns.filter((dn) => !found.has(nameKey(dn)) && found.set(nameKey(dn), dn) !== undefined)
  let next = add([...person.memberOf, ...(await find([person]))])
  for (let depth = 1; depth < MAX_DEPTH && next.length > 0; depth++) {
    next = add(await find(next.map((dn) => ({ dn, username: undefined }))))
  }
  return [...found.values()].map((dn) => ({ dn, name: firstValue(dn) }))
}

/** Asks the directory, once for each level. */
export async function groupsByAsking(connection: LdapConnection, { base, filter }: GroupSearch): Promise<FindGroups> {
  const { AndFilter, EqualityFilter, FilterParser, OrFilter } = await loadLdapts()
  return async (members) => {
    const filters = members.flatMap(({ dn, username }) => [
      ...MEMBER_ATTRIBUTES.map((attribute) => new EqualityFilter({ attribute, value: dn })),
      ...(username === undefined ? [] : [new EqualityFilter({ attribute: USER_NAMES, value: username })]),
    ])
    const both = new AndFilter({ filters: [FilterParser.parseString(filter), new OrFilter({ filters })] })
    const entries = await connection.search(base, { scope: 'sub', filter: both, attributes: ['1.1'] })
    return entries.map(({ dn }) => dn)
  }
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Reads all groups once, for a search of many people. */
export async function groupsByReading(connection: LdapConnection, { base, filter }: GroupSearch): Promise<FindGroups> {
  const { FilterParser } = await loadLdapts()
  const entries = await connection.search(base, {
    scope: 'sub',
    filter: FilterParser.parseString(filter),
    attributes: [...MEMBER_ATTRIBUTES, USER_NAMES],
  })
  const byMember = new Map<string, string[]>()
  const note = (member: string, { dn }: Entry) => {
    const dns = byMember.get(member)
    if (dns) dns.push(dn)
    else byMember.set(member, [dn])
  }
  for (const entry of entries) {
    // Large directories take seconds, and requests must not wait that long.
    await nextTurn()
    const values = valuesOf(entry)
    for (const dn of MEMBER_ATTRIBUTES.flatMap(values)) note(`dn ${nameKey(String(dn))}`, entry)
    for (const username of values(USER_NAMES)) note(`name ${String(username)}`, entry)
  }
  return async (members) =>
    members.flatMap(({ dn, username }) => [
      ...(byMember.get(`dn ${nameKey(dn)}`) ?? []),
      ...(username === undefined ? [] : (byMember.get(`name ${username}`) ?? [])),
    ])
}
