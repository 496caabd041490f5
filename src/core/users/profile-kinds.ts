import * as v from 'valibot'
import { lengthOf } from '../kernel/base/limits.ts'
import { isDay } from '../kernel/base/times.ts'
import { check } from '../kernel/check.ts'
import { badRequest } from '../kernel/errors.ts'
import { isWebAddress, text } from '../kernel/fields.ts'
import { externalAccounts } from '../settings/choices.ts'

/** The columns of a field that its kind needs. */
export interface FieldOfKind {
  name: string
  /** JSON, in a form specific to the kind; empty for most. */
  field_data: string
}

/** A value on the wire: text, or ids of users. */
export type ProfileValue = string | readonly number[]

/** A type of custom profile field, with the API's number and name. */
export interface FieldKind {
  id: number
  key: string
  name: string
  /** Whether a value also has an HTML form. */
  rendered?: true
  /** Whether values are lists of users. */
  users?: true
  /** Whether the profile summary can show it. */
  summary: boolean
  /** Whether clients can find people by its values. */
  matching?: true
  /** Checks the definition of a field of this kind, such as its options; absent for kinds without one. */
  definition?(data: object): object
  /** Checks a value that is not empty, and returns it as it is stored. */
  stored(field: FieldOfKind, value: ProfileValue): string
}

function plain({ name }: FieldOfKind, value: ProfileValue, limit: number): string {
  if (typeof value !== 'string') throw badRequest(`${name} is not a string`)
  if (lengthOf(value) > limit) throw badRequest(`${name} is too long (limit: ${limit} characters)`)
  return value
}
const short = (field: FieldOfKind, value: ProfileValue): string => plain(field, value, 50)

function date(field: FieldOfKind, value: ProfileValue): string {
  const day = plain(field, value, 50)
  if (!isDay(day)) throw badRequest(`${field.name} is not a date`)
  return day
}

function link(field: FieldOfKind, value: ProfileValue): string {
  const address = plain(field, value, 2000)
  if (!isWebAddress(address)) throw badRequest(`${field.name} is not a URL`)
  return address
}

function option(field: FieldOfKind, value: ProfileValue): string {
  const choice = plain(field, value, 100)
  if (!Object.hasOwn(JSON.parse(field.field_data), choice)) {
    throw badRequest(`'${choice}' is not a valid choice for '${field.name}'.`)
  }
  return choice
}

function users({ name }: FieldOfKind, value: ProfileValue): string {
  if (typeof value === 'string') throw badRequest(`${name} is not a list`)
  return JSON.stringify([...new Set(value)])
}

const optionsSchema = v.record(
  v.pipe(text, v.trim(), v.nonEmpty('Field must not have an unnamed choice.'), v.maxLength(100)),
  v.object({ text: v.pipe(text, v.trim(), v.nonEmpty('{name} cannot be blank.')), order: text }),
)

function options(data: object): object {
  const { field_data } = check(v.object({ field_data: optionsSchema }), { field_data: data })
  const texts = Object.values(field_data).map((option) => option.text)
  if (texts.length === 0) throw badRequest('Field must have at least one choice.')
  if (new Set(texts).size < texts.length) throw badRequest('Field must not have duplicate choices.')
  return field_data
}

/** Returns the external account that a field is about, if clients know it. */
export const knownAccount = (data: object) => {
  const { subtype } = data as { subtype?: unknown }
  return typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
    ? externalAccounts[subtype as keyof typeof externalAccounts]
    : undefined
}

const PLACE = '%(username)s'

/** An account that clients know by name, or one with a URL pattern of the organization's own. */
function account(data: object): object {
  const { subtype, url_pattern } = data as { subtype?: unknown; url_pattern?: unknown }
  if (knownAccount(data)) return { subtype }
  if (subtype !== 'custom') throw badRequest('Invalid external account type')
  if (typeof url_pattern !== 'string') throw badRequest('Custom external account must define URL pattern')
  if (url_pattern.split(PLACE).length !== 2 || !isWebAddress(url_pattern.replace(PLACE, 'username'))) {
    throw badRequest('Malformed URL pattern.')
  }
  return { subtype, url_pattern }
}

export const fieldKinds: readonly FieldKind[] = [
  { id: 1, key: 'SHORT_TEXT', name: 'Text (short)', summary: true, matching: true, rendered: true, stored: short },
  { id: 2, key: 'LONG_TEXT', name: 'Text (long)', summary: true, rendered: true, stored: (f, x) => plain(f, x, 500) },
  { id: 3, key: 'SELECT', name: 'List of options', summary: true, definition: options, stored: option },
  { id: 4, key: 'DATE', name: 'Date', summary: true, stored: date },
  { id: 5, key: 'URL', name: 'Link', summary: true, stored: link },
  { id: 6, key: 'USER', name: 'Users', summary: false, users: true, stored: users },
  {
    id: 7,
    key: 'EXTERNAL_ACCOUNT',
    name: 'External account',
    summary: true,
    matching: true,
    definition: account,
    stored: short,
  },
  { id: 8, key: 'PRONOUNS', name: 'Pronouns', summary: true, stored: short },
]

export const kindOf = (id: number): FieldKind | undefined => fieldKinds.find((kind) => kind.id === id)
