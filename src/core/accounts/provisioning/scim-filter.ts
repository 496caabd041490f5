import { addressKey } from '../../../storage/index.ts'
import { scimError } from './scim-error.ts'

/** What a filter compares. */
export interface Comparable {
  readonly id: number
  readonly userName: string
  readonly externalId: string | undefined
  readonly name: string
  readonly active: boolean
}

const MAX_LENGTH = 1000
const TERM =
  /^\s*([A-Za-z][\w.:$]*(?:\[type eq "\w+"\]\.value)?)\s+eq\s+("(?:[^"\\]|\\["\\/])*"|true|false)\s*(?:$|and\s+(?=\S))/i

const comparisons: Readonly<Record<string, (user: Comparable, value: string) => boolean>> = {
  id: (user, value) => String(user.id) === value,
  username: (user, value) => addressKey(user.userName) === addressKey(value),
  'emails.value': (user, value) => addressKey(user.userName) === addressKey(value),
  'emails[type eq "work"].value': (user, value) => addressKey(user.userName) === addressKey(value),
  externalid: (user, value) => user.externalId === value,
  displayname: (user, value) => user.name === value,
  'name.formatted': (user, value) => user.name === value,
  active: (user, value) => String(user.active) === value.toLowerCase(),
}

/** A filter, and the address that it demands, if it does: the account is then found by an index. */
export interface ScimFilter {
  readonly address: string | undefined
  /** Missing without a filter. */
  readonly matches?: (user: Comparable) => boolean
}

/**
 * Returns a filter: comparisons with `eq`, joined by `and`.
 *
 * @throws invalidFilter for everything else. A filter that isn't understood must never mean everybody
 */
export function readFilter(text: string | null | undefined): ScimFilter {
  if (text == null) return { address: undefined }
  if (text.length > MAX_LENGTH) throw scimError('invalidFilter', 'The filter is too long')
  const terms: ((user: Comparable) => boolean)[] = []
  let address: string | undefined
  let rest = text
  do {
    const [all, name = '', value = ''] = TERM.exec(rest) ?? []
    const plain = name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '').toLowerCase()
    const compare = Object.hasOwn(comparisons, plain) ? comparisons[plain] : undefined
    if (all === undefined || !compare) {
      const known = 'userName, externalId, id, displayName, emails.value and active'
      throw scimError('invalidFilter', `Filters compare ${known} with eq, joined by and`)
    }
    const wanted = value.startsWith('"') ? unquoted(value) : value
    terms.push((user) => compare(user, wanted))
    if (plain === 'username') address = wanted
    rest = rest.slice(all.length)
  } while (rest !== '')
  return { address, matches: (user) => terms.every((term) => term(user)) }
}

const GROUP_TERM =
  /^\s*(?:urn:ietf:params:scim:schemas:core:2\.0:Group:)?(displayName|id)\s+eq\s+("(?:[^"\\]|\\["\\/])*")\s*$/i

/**
 * Returns the name or ID that a filter of groups demands.
 *
 * @throws invalidFilter for everything else
 */
export function readGroupFilter(text: string | null | undefined): { name: string | undefined; id: number | undefined } {
  if (text == null) return { name: undefined, id: undefined }
  const [all, attribute = '', value = ''] = (text.length <= MAX_LENGTH && GROUP_TERM.exec(text)) || []
  if (all === undefined) throw scimError('invalidFilter', 'Filters of groups compare displayName or id with eq')
  const wanted = unquoted(value)
  if (attribute.toLowerCase() === 'displayname') return { name: wanted, id: undefined }
  return { name: undefined, id: /^\d{1,15}$/.test(wanted) ? Number(wanted) : -1 }
}

const unquoted = (value: string): string => value.slice(1, -1).replace(/\\(.)/g, '$1')
