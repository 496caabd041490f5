import * as v from 'valibot'
import { bool as boolean, integer, isWebAddress, line, maxCharacters, quoted, text } from '../kernel/fields.ts'
import { type GroupSettingValue, groupSettingValue as groupSettingShape } from '../shapes/group.ts'
import { type GroupSettingChange, groupSettingChange, type SystemGroupName } from './group-setting-value.ts'

/** The kinds of entries in the settings tables: a setting's possible values and its default. */

/** A plain value: the schemas of what a client may send and of what is stored and shown. */
export interface ValueKind<In, Out = In> {
  kind: 'value'
  schema: v.GenericSchema<In, Out>
  shown: v.GenericSchema<Out>
  default: Out
}

/** A stream, by id; -1 for none. */
export interface StreamKind {
  kind: 'stream'
  schema: v.GenericSchema<number>
  shown: v.GenericSchema<number>
  default: number
}

/** A permission: a group, or a set of users and groups. */
export interface PermissionKind {
  kind: 'permission'
  schema: v.GenericSchema<GroupSettingValue | GroupSettingChange, GroupSettingChange>
  shown: typeof groupSettingShape
  default: SystemGroupName
  /** The default as clients see it, which can also be "group_creator". */
  initial: string
  rules: PermissionRules
}

/** Groups that may have a permission. */
export interface PermissionRules {
  /** Whether guests may have it; otherwise they never do, whatever groups they are in. */
  everyone: boolean
  nobody: boolean
  /** Only one of these system groups is allowed. */
  system?: readonly SystemGroupName[]
}

/** A value that only one setting has. */
export const custom = <In, Out>(
  schema: v.GenericSchema<In, Out>,
  initial: Out,
  shown: v.GenericSchema<Out>,
): ValueKind<In, Out> => ({ kind: 'value', schema, shown, default: initial })
const plain = <T>(schema: v.GenericSchema<T>, initial: T): ValueKind<T> => custom(schema, initial, schema)

export const bool = (initial: boolean) => plain<boolean>(boolean, initial)

/** One line of text. */
export const string = (initial: string, maxLength: number) =>
  plain<string>(v.pipe(line, maxCharacters(maxLength)), initial)
export const nonEmptyString = (initial: string, maxLength: number) =>
  plain<string>(v.pipe(line, v.nonEmpty('{name} cannot be blank'), maxCharacters(maxLength)), initial)
export const multilineString = (initial: string, maxLength: number) =>
  plain<string>(v.pipe(text, maxCharacters(maxLength)), initial)

const BAD_VALUE = "Bad value for '{name}': {value}"

export const int = (initial: number, min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  plain<number>(v.pipe(integer, v.minValue(min, BAD_VALUE), v.maxValue(max, BAD_VALUE)), initial)

/** A count from 1, or the word "unlimited", which is stored as `none`. */
export const limit = <None extends number | null>(initial: number | None, none: None) =>
  custom<number | 'unlimited', number | None>(
    v.union(
      [
        v.pipe(
          v.literal('unlimited'),
          v.transform(() => none),
        ),
        v.pipe(integer, v.minValue(1, BAD_VALUE)),
      ],
      BAD_VALUE,
    ),
    initial,
    (none === null ? v.nullable(integer) : integer) as v.GenericSchema<number | None>,
  )
export const nullableInt = (initial: number | null) => limit(initial, null)

/** A color, as #rrggbb in lower case, or nothing for the usual one. */
export const color = () =>
  custom<string, string>(
    v.pipe(text, v.trim(), v.toLowerCase(), v.regex(/^(?:#[0-9a-f]{6})?$/, '{name} is not a valid hex color code')),
    '',
    v.string(),
  )

/** One of a list. */
export const oneOf = <const T extends string | number>(
  initial: NoInfer<T>,
  choices: readonly T[],
  refusal = 'Invalid {name}',
) => plain<T>(v.picklist(choices, refusal), initial)

/** An http or https address, or the word "default", which is stored as null. */
export const nullableUrl = (maxLength: number) =>
  custom<string, string | null>(
    v.pipe(
      quoted,
      v.trim(),
      maxCharacters(maxLength),
      v.check((s) => s === 'default' || isWebAddress(s), '{name} is not an allowed_type'),
      v.transform((s) => (s === 'default' ? null : s)),
    ),
    null,
    v.nullable(v.string()),
  )

export const stream = (): StreamKind => ({
  kind: 'stream',
  schema: v.pipe(integer, v.minValue(-1, 'Invalid channel ID')),
  shown: integer,
  default: -1,
})

/**
 * A permission. By default guests may not have it, and it may be role:nobody.
 *
 * @param creator - clients' name for a default that depends on the creator of the group or stream
 */
export const permission = (
  initial: SystemGroupName,
  rules: Partial<PermissionRules> = {},
  creator?: 'group_creator' | 'channel_creator',
): PermissionKind => ({
  kind: 'permission',
  schema: groupSettingChange,
  shown: groupSettingShape,
  default: initial,
  initial: creator ?? initial,
  rules: { everyone: false, nobody: true, ...rules },
})
