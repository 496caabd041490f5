import { type Directory, type DirectoryPerson, openDirectory } from '../../../network/ldap/directory.ts'
import { nameKey } from '../../../network/ldap/entry.ts'
import { DirectoryFailed } from '../../../network/ldap/ldap-connection.ts'
import { fold } from '../../../storage/index.ts'
import type { Clock } from '../../kernel/base/clock.ts'
import { nextTurn } from '../../kernel/base/timers.ts'
import type { AccountRules } from './account-rules.ts'
import { createBreaker } from './breaker.ts'
import { LDAP, type LdapSignOn } from './ldap.ts'
import type { Person } from './protocol.ts'

/** A person of the directory, as sign-ins and the sync see them. */
export interface DirectoryMember extends Person {
  readonly isDisabled: boolean
}

/** The directory whose passwords people use. Its functions throw DirectoryFailed. */
export interface SignOnDirectory {
  readonly rules: AccountRules
  readonly isReadable: boolean
  /** Returns the person with this name or address, if the password is right. */
  prove(username: string, password: string): Promise<DirectoryMember | undefined>
  people(): Promise<DirectoryMember[]>
  stillThere(subjects: readonly string[]): Promise<Set<string>>
}

/**
 * Names that are asked about: addresses and user names in ASCII. Directories ignore width and spaces, so other spellings
 * of a name would escape the limits for wrong passwords.
 */
const NAME = /^(?=.{1,254}$)[A-Za-z0-9][\w.+-]*(?:@[A-Za-z0-9.-]+)?$/

/** People whose groups are named before other work gets its turn. */
const AT_ONCE = 100

/** Directories disconnect clients that send much more, and a few such failures would stop all sign-ins for a minute. */
const MAX_PASSWORD_LENGTH = 1000

/** Opens the directory. Nothing is contacted before somebody signs in. */
export function createDirectory(
  { rules, directory: config, isReadable }: LdapSignOn,
  clock: Clock,
  onChange: (problem: string | undefined) => void,
): SignOnDirectory {
  const directory: Directory = openDirectory(config)
  const breaker = createBreaker(clock, onChange)
  async function asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work()
      breaker.note(undefined)
      return answer
    } catch (error) {
      const failed =
        error instanceof DirectoryFailed ? error : new DirectoryFailed((error as Error).message, { cause: error })
      breaker.note(failed.message)
      throw failed
    }
  }
  return {
    rules,
    isReadable,
    async prove(username, password) {
      if (!NAME.test(username) || password === '' || password.length > MAX_PASSWORD_LENGTH) return undefined
      if (breaker.isPaused()) throw new DirectoryFailed('the directory is not asked for a minute, because it failed')
      const person = await asked(() => directory.prove(username, password))
      return person && memberOf(rules, person)
    },
    people: () =>
      asked(async () => {
        const members: DirectoryMember[] = []
        for (const [i, person] of (await directory.people()).entries()) {
          if (i % AT_ONCE === 0) await nextTurn()
          members.push(memberOf(rules, person))
        }
        return members
      }),
    stillThere: (subjects) => asked(() => directory.stillThere(subjects)),
  }
}

function memberOf(rules: AccountRules, person: DirectoryPerson): DirectoryMember {
  const groups = namedGroups(rules, person)
  return {
    issuer: LDAP,
    subject: person.subject,
    email: person.email,
    is_verified: true,
    name: person.name,
    groups,
    roles: undefined,
    required: groups,
    isDisabled: person.isDisabled,
  }
}

/** Returns those groups of a person that the file names, by a short name or an entire one, as the file writes them. */
function namedGroups(rules: AccountRules, { groups }: DirectoryPerson): string[] {
  const has = new Set(groups.flatMap(({ dn, name }) => [nameKey(dn), fold(name)]))
  const named = [rules.groups, rules.roles, rules.channels].flatMap((map) => Object.keys(map))
  const all = new Set([...named, ...(rules.require?.any ?? [])])
  return [...all].filter((name) => has.has(name.includes('=') ? nameKey(name) : fold(name)))
}
