/** How a setting is shown and changed. */
export type SettingKind =
  | 'check'
  | 'line'
  | 'lines'
  | 'address'
  | 'number'
  | 'limit'
  | 'duration'
  | 'retention'
  | 'stream'
  | 'permission'
  | readonly (readonly [value: string | number, label: string])[]

/** A row of a table of settings: what people read of it, and the kind of its field. */
export interface Setting<Name extends string = string> {
  name: Name
  label: string
  /** One sentence of what it does. */
  about: string
  kind: SettingKind
  /** Others see only the settings that they may change. */
  who?: 'owner'
}

export type Row<Name extends string> = readonly [name: Name, kind: SettingKind, label: string, about: string]

export const row = <Name extends string>([name, kind, label, about]: Row<Name>): Setting<Name> => ({
  name,
  kind,
  label,
  about,
})
