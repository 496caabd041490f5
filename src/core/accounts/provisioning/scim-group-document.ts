import { isObject } from '../../kernel/base/objects.ts'
import { member, operationsIn, textIn, wordIn } from './scim-document.ts'
import { scimError } from './scim-error.ts'

/** What a request says about a group. Members are the IDs of users. */
export interface GroupChange {
  displayName?: string
  /** Exactly these. */
  members?: readonly number[]
  add?: readonly number[]
  /** `all` removes everybody. */
  remove?: readonly number[] | 'all'
}

const MAX_MEMBERS = 10_000
const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:Group:/i
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"(\d{1,15})"\s*\]$/i

/** Returns what an entire group says. */
export function readGroup(document: Readonly<Record<string, unknown>>): GroupChange {
  const displayName = member(document, 'displayname')
  const members = member(document, 'members')
  return {
    ...(displayName !== undefined && { displayName: textIn('displayName', displayName) }),
    ...(members !== undefined && { members: membersIn(members) }),
  }
}

/** Returns what each operation of a patch changes, in their order. */
export function readGroupPatch(document: Readonly<Record<string, unknown>>): GroupChange[] {
  return operationsIn(document).map(({ op, path, value }) => {
    if (path === undefined) {
      if (op === 'remove') throw scimError('invalidPath', '"remove" needs a path')
      if (!isObject(value)) throw scimError('invalidValue', 'Without a path, "value" must be an object')
      const { members, ...others } = readGroup(value)
      return { ...others, ...(members && (op === 'add' ? { add: members } : { members })) }
    }
    const plain = path.replace(SCHEMA, '').trim()
    const [, one] = ONE_MEMBER.exec(plain) ?? []
    if (one !== undefined) {
      if (op !== 'remove') throw scimError('invalidPath', 'A single member can only be removed')
      return { remove: [Number(one)] }
    }
    if (/^members$/i.test(plain)) {
      if (op === 'add') return { add: membersIn(value) }
      if (op === 'replace') return { members: membersIn(value) }
      return { remove: value === undefined || value === null ? 'all' : membersIn(value) }
    }
    if (/^displayname$/i.test(plain)) {
      if (op === 'remove') throw scimError('mutability', `${path} can't be removed`)
      return { displayName: textIn('displayName', value) }
    }
    // Groups here have no other attributes. Providers send some, such as externalId.
    return {}
  })
}

/** IDs of users, from a list of objects with `value`, or from one. */
function membersIn(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MAX_MEMBERS) throw scimError('invalidValue', `A group may have at most ${MAX_MEMBERS} members`)
  return list.map((one) => {
    const id = wordIn(isObject(one) ? member(one, 'value') : one)
    if (!/^\d{1,15}$/.test(id)) throw scimError('invalidValue', 'Each member needs the ID of a user as "value"')
    return Number(id)
  })
}
