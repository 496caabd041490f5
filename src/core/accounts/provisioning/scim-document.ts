import * as v from 'valibot'
import { depthOf } from '../../kernel/base/json-depth.ts'
import { isObject } from '../../kernel/base/objects.ts'
import { type RoleName, roleNames } from '../../kernel/roles.ts'
import { email as emailShape } from '../create.ts'
import { scimError } from './scim-error.ts'

const MAX_DEPTH = 10
const MAX_OPERATIONS = 100
const MAX_TEXT = 1000

/** What a request says about a user. Missing members change nothing. */
export interface UserChanges {
  userName?: string
  /** null removes it. */
  externalId?: string | null
  active?: boolean
  role?: RoleName
  formatted?: string
  given?: string
  family?: string
  displayName?: string
}

/** Parses a document. Throws invalidSyntax for anything but an object that isn't nested too deep. */
export function parseDocument(text: string): Readonly<Record<string, unknown>> {
  // Before parsing, which would need a deep stack.
  if (depthOf(text) > MAX_DEPTH) throw scimError('invalidSyntax', 'The body is nested too deep')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw scimError('invalidSyntax', 'The body must be JSON')
  }
  if (!isObject(document)) throw scimError('invalidSyntax', 'The body must be a JSON object')
  return document
}

/** Returns what an entire user says. */
export function readUser(document: Readonly<Record<string, unknown>>): UserChanges {
  const changes: UserChanges = {}
  for (const [path, value] of flattened(document)) apply(changes, path, value)
  return changes
}

interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

/** Returns the operations of a patch, in their order. */
export function operationsIn(document: Readonly<Record<string, unknown>>): Operation[] {
  const operations = member(document, 'operations')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw scimError('invalidSyntax', `"Operations" must be a list of 1 to ${MAX_OPERATIONS} operations`)
  }
  return operations.map((operation) => {
    if (!isObject(operation)) throw scimError('invalidSyntax', 'An operation must be an object')
    // Entra capitalizes the names.
    const op = wordIn(member(operation, 'op'))
    const path = member(operation, 'path')
    const value = member(operation, 'value')
    if (path !== undefined && typeof path !== 'string') throw scimError('invalidPath', '"path" must be a text')
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw scimError('invalidSyntax', '"op" must be add, replace or remove')
    return { op, path, value }
  })
}

/** Returns what the operations of a patch change. */
export function readPatch(document: Readonly<Record<string, unknown>>): UserChanges {
  const changes: UserChanges = {}
  for (const { op, path, value } of operationsIn(document)) {
    if (op === 'remove') {
      if (path === undefined) throw scimError('invalidPath', '"remove" needs a path')
      remove(changes, path)
    } else if (path !== undefined && !(isObject(value) && /^name$/i.test(path))) apply(changes, path, value)
    else if (!isObject(value)) throw scimError('invalidValue', 'Without a path, "value" must be an object')
    else for (const [at, one] of flattened(value, path)) apply(changes, at, one)
  }
  return changes
}

export const member = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(object).find(([own]) => own.toLowerCase() === name)?.[1]

/** Members by their path. Members of `name` are separate, as Entra sends them in patches. */
function flattened(object: Readonly<Record<string, unknown>>, prefix?: string): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    if (prefix === undefined && name.toLowerCase() === 'name' && isObject(value)) return flattened(value, 'name')
    return [[prefix === undefined ? name : `${prefix}.${name}`, value]]
  })
}

const plainPath = (path: string): string =>
  path
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '')
    .toLowerCase()
    .trim()

/** Takes one value. Attributes that accounts here don't have are ignored, because providers send many. */
function apply(changes: UserChanges, path: string, value: unknown): void {
  switch (plainPath(path)) {
    case 'username':
      changes.userName = addressIn(value)
      break
    case 'externalid':
      changes.externalId = value === null || value === '' ? null : textIn('externalId', value)
      break
    case 'active':
      changes.active = flagIn(value)
      break
    case 'displayname':
      changes.displayName = textIn('displayName', value)
      break
    case 'name.formatted':
      changes.formatted = textIn('name.formatted', value)
      break
    case 'name.givenname':
      changes.given = textIn('name.givenName', value)
      break
    case 'name.familyname':
      changes.family = textIn('name.familyName', value)
      break
    case 'role':
    case 'roles':
    case 'roles[primary eq "true"].value':
      changes.role = roleIn(value)
  }
}

function remove(changes: UserChanges, path: string): void {
  const plain = plainPath(path)
  if (plain === 'externalid') changes.externalId = null
  else if (['username', 'active', 'id'].includes(plain)) throw scimError('mutability', `${path} can't be removed`)
}

/** A word in lower case; empty for objects and lists, which may have no form as text. */
export const wordIn = (value: unknown): string => (typeof value === 'object' ? '' : String(value).toLowerCase())

export function textIn(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TEXT || value.includes('\0')) {
    throw scimError('invalidValue', `${name} must be a text of at most ${MAX_TEXT} characters`)
  }
  return value.trim()
}

function addressIn(value: unknown): string {
  const checked = v.safeParse(emailShape, value)
  if (!checked.success) throw scimError('invalidValue', 'userName must be an email address')
  return checked.output
}

/** Entra sends flags as texts. */
function flagIn(value: unknown): boolean {
  const word = wordIn(value)
  if (word !== 'true' && word !== 'false') throw scimError('invalidValue', 'active must be true or false')
  return word === 'true'
}

/** A role by its name, alone or in the first of a list of objects. */
function roleIn(value: unknown): RoleName {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const name = wordIn(isObject(first) ? first.value : first)
  const role = roleNames.find((one) => one === name)
  if (!role || role === 'owner') {
    throw scimError('invalidValue', 'role must be administrator, moderator, member or guest')
  }
  return role
}

/** Returns the full name of a user; undefined if the changes name nobody. */
export function nameIn({ formatted, given, family, displayName }: UserChanges, before = ''): string | undefined {
  if (formatted !== undefined) return formatted
  if (given === undefined && family === undefined) return displayName
  // A part that isn't sent stays.
  const words = before.split(' ')
  return [given ?? words.slice(0, -1).join(' '), family ?? words.at(-1) ?? ''].join(' ').trim()
}
