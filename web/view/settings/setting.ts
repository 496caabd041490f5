/** How a setting is shown and changed. */
export type SettingKind =
  | 'check'
  | 'line'
  | 'color'
  | 'lines'
  | 'address'
  | 'number'
  | 'limit'
  | 'day'
  | 'duration'
  | 'retention'
  | 'stream'
  | 'calls'
  | 'folder'
  | 'permission'
  | 'language'
  | readonly (readonly [value: string | number, label: string])[]

/** A row of a settings table: its texts, and the kind of its field. */
export interface Setting<Name extends string = string> {
  name: Name
  label: string
  /** One sentence of what it does. */
  about: string
  kind: SettingKind
  /** The title of the card that it is in. */
  theme?: string
  /** Other readers see only the settings that they may change. */
  who?: 'owner'
}

/** Puts rows in a card with a title. */
export const themed = <S extends Setting>(theme: string, rows: readonly S[]): S[] =>
  rows.map((row) => ({ ...row, theme }))

/** Makes rows for the settings with texts. Settings without texts don't compile. */
export const rowsOf =
  <Name extends string>() =>
  <Shown extends Name>(texts: Readonly<Record<Shown, { label: string; about: string }>>) =>
  (name: Shown, kind: SettingKind): Setting<Shown> => ({ name, kind, ...texts[name] })
