/** SQLite has no boolean and its driver refuses `true`; both dialects store 0 or 1. */
export type Flag = 0 | 1

export const flag = (value: boolean): Flag => (value ? 1 : 0)

/** Names are compared in this form on every dialect: SQLite's own case folding knows only ASCII. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase()
