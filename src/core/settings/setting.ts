import * as v from 'valibot'
import { badRequest, type ChatError } from '../kernel/errors.ts'
import { described } from '../kernel/fields.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { groupSettingValue, type SystemGroupName } from './group-setting-value.ts'
import type { PermissionKind, StreamKind, ValueKind } from './kinds.ts'

// biome-ignore lint/suspicious/noExplicitAny: each entry of a table has its own type of value.
export type Kind = ValueKind<any, any> | StreamKind | PermissionKind

/** An entry of a settings table. */
export type Setting = Kind & {
  /**
   * What obeys it: this server (a test proves it), only clients, nothing although it is stored, or nothing and it
   * can't be changed.
   */
  effect: 'server' | 'client' | 'kept' | 'none'
  /** If nothing obeys it, what this server doesn't do. */
  because?: string
  /** `owner` if only owners may change it. Otherwise everyone with the right to change this table's settings may. */
  who?: 'owner'
}
export type SettingsTable = Readonly<Record<string, Setting>>

/** A setting that a rule of this server obeys. */
export const server = <K extends Kind>(kind: K) => ({ ...kind, effect: 'server' as const })

/** A setting that clients obey and the server only stores. */
export const client = <K extends Kind>(kind: K) => ({ ...kind, effect: 'client' as const })

/**
 * A setting for something that this server doesn't do. It has its true value and rejects any other.
 *
 * @param because - what the server doesn't do, as a phrase that follows "this server"
 * @param actual - the true value, if it isn't the API's default
 */
export const unsupported = <K extends Kind>(kind: K, because: string, actual: K['default'] = kind.default) => ({
  ...kind,
  effect: 'none' as const,
  because,
  default: actual,
})

/**
 * A preference for something that this server doesn't do. It is stored because clients send it together with others.
 *
 * @param because - what the server doesn't do, as a phrase that follows "this server"
 * @param initial - the initial value, if it isn't the API's default
 */
export const kept = <K extends Kind>(kind: K, because: string, initial: K['default'] = kind.default) => ({
  ...kind,
  effect: 'kept' as const,
  because,
  default: initial,
})

export const ownerOnly = <S extends Setting>(setting: S) => ({ ...setting, who: 'owner' as const })

export const cannotBeChanged = (name: string, { because }: Pick<Setting, 'because'>): ChatError =>
  badRequest(`'${name}' cannot be changed: this server ${because}.`)

export const namesOf = <T extends SettingsTable>(table: T) => Object.keys(table) as (keyof T & string)[]

/** The stored value of an entry; a permission's default is a name, since ids of groups differ between organizations. */
export type StoredValue<S> = S extends PermissionKind
  ? GroupSettingValue | SystemGroupName
  : // biome-ignore lint/suspicious/noExplicitAny: the stored type, whatever the input type.
    S extends { schema: v.GenericSchema<any, infer Kept> }
    ? Kept
    : never
export type StoredValues<T extends SettingsTable> = { readonly [N in keyof T]: StoredValue<T[N]> }

/** The names of a table's entries with this effect. */
export type NamesWithEffect<T extends SettingsTable, E extends Setting['effect']> = {
  [N in keyof T]: T[N]['effect'] extends E ? N : never
}[keyof T]

/** The defaults of all entries. */
const defaultsOf = <T extends SettingsTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.default])) as {
    [N in keyof T]: T[N]['default']
  }

/** Schemas of the values as clients see them. A list of entries can't express that each name keeps its own type. */
export const shownEntries = <T extends SettingsTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.shown])) as unknown as {
    [N in keyof T]: T[N]['shown']
  }

/** A given value, wrapped in an object because null is a possible value. */
export interface Given<T> {
  value: T
}
const given = <In, Out>(schema: v.GenericSchema<In, Out>): v.GenericSchema<In, Given<Out>> =>
  v.pipe(
    schema,
    v.transform((value) => ({ value })),
  )

type ChangeParam<S> = S extends { schema: v.GenericSchema<infer In, infer Out> }
  ? v.NullishSchema<v.GenericSchema<In, Given<Out>>, undefined>
  : never

/** Parameters named after the entries, each optional. Missing ones stay unchanged. Types as in `shownEntries`. */
export const changeParams = <T extends SettingsTable>(table: T) =>
  Object.fromEntries(
    Object.entries(table).map(([name, setting]) => {
      const schema = v.nullish(given(setting.schema as v.GenericSchema))
      return [name, described(schema, sentenceOf(setting))]
    }),
  ) as unknown as { [N in keyof T]: ChangeParam<T[N]> }

const sentences = { server: 'Applied by the server.', client: 'Stored by the server for clients to apply.' }

/** A setting's description in the API document. */
function sentenceOf({ effect, because, who }: Setting): string {
  const obeyed =
    effect === 'none'
      ? `Cannot be changed: this server ${because}.`
      : effect === 'kept'
        ? `Stored without effect: this server ${because}.`
        : sentences[effect]
  return who === 'owner' ? `${obeyed} Only owners can change it.` : obeyed
}

const anyPermission = described(
  v.nullish(groupSettingValue),
  'Users with this permission: the ID of a group, or a set of users and groups.',
)
type AnyPermission = typeof anyPermission
/** A name for the long type, which declarations would repeat for each permission. */
export interface NewPermission extends AnyPermission {}
const newPermission: NewPermission = anyPermission

/** Parameters for the permissions of a new object. */
export const newPermissionParams = <T extends SettingsTable>(table: T) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, newPermission])) as {
    [N in keyof T]: NewPermission
  }

/**
 * Merges rows of stored settings into the defaults. Settings that nothing obeys keep their true value, whatever is
 * stored.
 */
export function withStored<T extends SettingsTable>(
  table: T,
  rows: Iterable<{ name: string; value: string }>,
): StoredValues<T> {
  const values = defaultsOf(table) as { -readonly [N in keyof T]: StoredValue<T[N]> }
  for (const { name, value } of rows) {
    if (Object.hasOwn(table, name) && table[name]?.effect !== 'none') values[name as keyof T] = JSON.parse(value)
  }
  return values
}
