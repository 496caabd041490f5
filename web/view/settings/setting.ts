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

/** Makes rows of settings of whose texts there is a table: what has no text is not taken. */
export const rowsOf =
  <Name extends string>() =>
  <Shown extends Name>(texts: Readonly<Record<Shown, { label: string; about: string }>>) =>
  (name: Shown, kind: SettingKind): Setting<Shown> => ({ name, kind, ...texts[name] })
