import type { Entry } from 'ldapts'

/** Names of the attributes that say who somebody is. */
export interface EntryAttributes {
  /** Never changes, even if the entry is moved or renamed. */
  readonly subject: string
  /** What people type to sign in, besides their address. */
  readonly username: string
  readonly email: string
  readonly name: string
  /** The groups of a person, as their entry lists them. */
  readonly groups: string
}

/** A person in the directory. */
export interface DirectoryEntry {
  readonly dn: string
  readonly subject: string
  readonly username: string | undefined
  readonly email: string | undefined
  readonly name: string | undefined
  readonly isDisabled: boolean
  /** Names of the groups that the entry lists. */
  readonly memberOf: readonly string[]
}

/** Attributes that disable an account in Active Directory and in 389 Directory Server. */
export const STATE_ATTRIBUTES = ['userAccountControl', 'nsAccountLock']
const ACCOUNT_DISABLED = 2

/** Returns what an entry says about a person; undefined without a subject. */
export function readEntry(entry: Entry, names: EntryAttributes): DirectoryEntry | undefined {
  const all = valuesOf(entry)
  const first = (name: string) => all(name)[0]?.toString('utf8').trim() || undefined
  const subject = subjectOf(all(names.subject)[0], names.subject)
  if (subject === undefined) return undefined
  const control = Number(first('userAccountControl') ?? 0)
  return {
    dn: entry.dn,
    subject,
    username: first(names.username),
    email: first(names.email),
    name: first(names.name),
    isDisabled: (control & ACCOUNT_DISABLED) !== 0 || /^true$/i.test(first('nsAccountLock') ?? ''),
    memberOf: all(names.groups).map(String),
  }
}

/**
 * Returns the values of each attribute as a list. The package returns one value alone and none as an empty list, and
 * servers spell the names of attributes as they like.
 */
export function valuesOf(entry: Entry): (name: string) => (string | Buffer)[] {
  const byName = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), [value].flat()]))
  return (name) => byName.get(name.toLowerCase()) ?? []
}

const TEXT = /^[\x21-\x7e]{1,200}$/
/** `objectGUID` of Active Directory and `GUID` of eDirectory are bytes. */
const BYTES = /guid$/i

/** Text stays text, and other bytes become hex digits. */
function subjectOf(value: string | Buffer | undefined, attribute: string): string | undefined {
  if (value === undefined || value.length === 0) return undefined
  const bytes = Buffer.from(value as string)
  const text = bytes.toString('utf8')
  return TEXT.test(text) && !BYTES.test(attribute) ? text : `#${bytes.toString('hex')}`
}

/** Returns the value that a filter compares a subject with. */
export const subjectValue = (subject: string): string | Buffer =>
  subject.startsWith('#') ? Buffer.from(subject.slice(1), 'hex') : subject

/** Returns a form of a name that is equal for all ways to write it that directories use. */
export const nameKey = (dn: string): string => dn.toLowerCase().replace(/\s*([,=+])\s*/g, '$1')

/** Returns the value in the first part of a name, such as `staff` of `cn=staff,ou=groups,dc=example,dc=com`. */
export function firstValue(dn: string): string {
  const [, value = ''] = /^[^=]+=((?:\\.|[^,+\\])*)/s.exec(dn) ?? []
  // Several escaped bytes may be one letter.
  return value.replace(/((?:\\[\da-f]{2})+)|\\(.)/gis, (_, bytes?: string, char?: string) =>
    bytes === undefined ? char! : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'),
  )
}

/** Writes a value into a name. Everything but plain letters and digits is escaped. */
export const escapeValue = (value: string): string =>
  [...Buffer.from(value)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9._-]/.test(char) ? char : `\\${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
