import type { AuditEntry } from './rows.ts'

const columns = [
  ...(['id', 'at', 'actor_id', 'actor_name', 'on_behalf_of', 'key_id', 'address', 'client'] as const),
  ...(['action', 'subject_kind', 'subject_id', 'before', 'after', 'outcome', 'count'] as const),
] satisfies readonly (keyof AuditEntry)[]

/** Returns an entry with its time in ISO 8601. */
const shown = (entry: AuditEntry) => ({ ...entry, at: new Date(entry.at * 1000).toISOString() })

export const jsonLine = (entry: AuditEntry): string => JSON.stringify(shown(entry))

export const csvHead = columns.join(',')
export const csvLine = (entry: AuditEntry): string => {
  const values = shown(entry)
  return columns.map((column) => cell(values[column])).join(',')
}

/** A value as CSV. */
export function cell(value: unknown): string {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // Spreadsheets would run a name that looks like a formula.
  const inert = typeof value === 'number' || !/^[=+\-@\t\r]/.test(text) ? text : `'${text}`
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
