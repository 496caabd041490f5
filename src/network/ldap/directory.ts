import type { Filter } from 'ldapts'
import {
  type DirectoryEntry,
  type EntryAttributes,
  escapeValue,
  readEntry,
  STATE_ATTRIBUTES,
  subjectValue,
} from './entry.ts'
import {
  type DirectoryGroup,
  type FindGroups,
  type GroupSearch,
  groupsAround,
  groupsByAsking,
  groupsByReading,
  nextTurn,
} from './groups.ts'
import { DirectoryFailed, type LdapConnection, withLdap } from './ldap-connection.ts'
import { loadLdapts } from './ldap-package.ts'
import type { LdapServer } from './ldap-server.ts'

export interface DirectoryConfig {
  readonly server: LdapServer
  /** The account that reads the directory. Without it, the directory is read without an account. */
  readonly reader: { readonly dn: string; readonly password: string } | undefined
  /** Names of people's entries, with `{username}`. Without it, the entry is searched for. */
  readonly user_dn: string | undefined
  readonly base: string
  /** Which entries are people, in the form of RFC 4515. */
  readonly filter: string
  readonly attributes: EntryAttributes
  readonly groups: GroupSearch | undefined
}

export interface DirectoryPerson extends DirectoryEntry {
  readonly groups: readonly DirectoryGroup[]
}

/** People who are read before other work gets its turn. */
const AT_ONCE = 100

/** A directory of people. Its functions throw DirectoryFailed. Each opens a connection of its own. */
export interface Directory {
  /** Returns the person with this name or address whose password is right. */
  prove(username: string, password: string): Promise<DirectoryPerson | undefined>
  /** Returns everybody. */
  people(): Promise<DirectoryPerson[]>
  /** Returns which of these subjects still are people of the directory. */
  stillThere(subjects: readonly string[]): Promise<Set<string>>
}

/**
 * Loads the package, and checks the filters that the operator wrote.
 *
 * @throws Error that names the package or the member
 */
export async function checkFilters({ filter, groups }: DirectoryConfig): Promise<void> {
  const { FilterParser } = await loadLdapts()
  for (const [name, text] of [
    ['filter', filter],
    ['group_filter', groups?.filter ?? '(objectClass=*)'],
  ] as const) {
    try {
      FilterParser.parseString(text)
    } catch (error) {
      throw new Error(`ldap: "${name}" is no valid filter: ${(error as Error).message}`)
    }
  }
}

/** Returns a directory. Nothing is contacted yet. */
export function openDirectory(config: DirectoryConfig): Directory {
  const { server, attributes, base } = config
  const names = [...Object.values(attributes), ...STATE_ATTRIBUTES]
  const wanted = { scope: 'sub', attributes: names, binary: [attributes.subject] } as const
  const connected = <T>(work: (connection: LdapConnection) => Promise<T>) => withLdap(server, work)

  async function findByName(connection: LdapConnection, username: string): Promise<DirectoryEntry | undefined> {
    const either = [attributes.username, attributes.email].map((attribute) => ({ attribute, value: username }))
    const filter = await peopleWith(config, either)
    const entries = await connection.search(base, { ...wanted, filter, most: 2 })
    // Two people with one name, or one whose address is the name of another, are nobody.
    return entries.length === 1 ? readEntry(entries[0]!, attributes) : undefined
  }

  async function proveBySearch(connection: LdapConnection, username: string, password: string) {
    await read(connection, config)
    const entry = await findByName(connection, username)
    // An unknown name takes a bind as well, so that it isn't faster.
    const right = await connection.bind(entry?.dn ?? `cn=${escapeValue(username)},${base}`, password)
    if (!entry || !right) return undefined
    await read(connection, config)
    return entry
  }

  async function proveByName(connection: LdapConnection, template: string, username: string, password: string) {
    const dn = template.replaceAll('{username}', escapeValue(username))
    if (!(await connection.bind(dn, password))) return undefined
    const search = { ...wanted, scope: 'base', filter: await peopleWith(config, []), most: 1 } as const
    const [entry] = await connection.search(dn, search)
    return entry && readEntry(entry, attributes)
  }

  const withGroups = async (entry: DirectoryEntry, find: FindGroups): Promise<DirectoryPerson> => ({
    ...entry,
    groups: await groupsAround(entry, find),
  })

  return {
    async prove(username, password) {
      // Directories accept an empty password for any name, as a bind without an account.
      if (username === '' || password === '') return undefined
      return connected(async (connection) => {
        const entry = config.user_dn
          ? await proveByName(connection, config.user_dn, username, password)
          : await proveBySearch(connection, username, password)
        return entry && withGroups(entry, await findGroups(connection, config, groupsByAsking))
      })
    },
    people: () =>
      connected(async (connection) => {
        await read(connection, config)
        const entries = await connection.search(base, { ...wanted, filter: await peopleWith(config, []) })
        const find = await findGroups(connection, config, groupsByReading)
        const people: DirectoryPerson[] = []
        for (const [i, found] of entries.entries()) {
          if (i % AT_ONCE === 0) await nextTurn()
          const entry = readEntry(found, attributes)
          if (entry) people.push(await withGroups(entry, find))
        }
        return people
      }),
    stillThere: (subjects) =>
      connected(async (connection) => {
        await read(connection, config)
        const there = new Set<string>()
        for (const subject of subjects) {
          const filter = await peopleWith(config, [{ attribute: attributes.subject, value: subjectValue(subject) }])
          const entries = await connection.search(base, { ...wanted, filter, most: 1 })
          if (entries.length > 0) there.add(subject)
        }
        return there
      }),
  }
}

/** Signs in with the account that reads the directory. */
async function read(connection: LdapConnection, { reader, server }: DirectoryConfig): Promise<void> {
  if (!reader || (await connection.bind(reader.dn, reader.password))) return
  throw new DirectoryFailed(`${server.host}:${server.port} rejected the password of "bind_dn"`)
}

const findGroups = async (
  connection: LdapConnection,
  { groups }: DirectoryConfig,
  by: (connection: LdapConnection, search: GroupSearch) => Promise<FindGroups>,
): Promise<FindGroups> => (groups ? by(connection, groups) : async () => [])

/** Returns the filter of people with one of these values. What people typed is never part of a text. */
async function peopleWith(
  { filter }: DirectoryConfig,
  either: readonly { attribute: string; value: string | Buffer }[],
): Promise<Filter> {
  const { AndFilter, EqualityFilter, FilterParser, OrFilter } = await loadLdapts()
  const people = FilterParser.parseString(filter)
  if (either.length === 0) return people
  return new AndFilter({ filters: [people, new OrFilter({ filters: either.map((one) => new EqualityFilter(one)) })] })
}
