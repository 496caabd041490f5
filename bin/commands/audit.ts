import { runOn } from '../../src/admin/run-on.ts'
import { csvHead, csvLine, jsonLine } from '../../src/core/organization/audit/formats.ts'
import type { Io } from '../io.ts'
import type { Common } from './print.ts'

interface AuditOptions extends Common {
  since?: number
  until?: number
  /** Email address of the account. */
  actor?: string
  action?: string
  csv?: boolean
}

/** Prints the audit log, oldest first: a line for each entry. */
export async function audit({ db, csv, json: _, ...filter }: AuditOptions, io: Io): Promise<void> {
  if (csv) io.stdout.write(`${csvHead}\n`)
  let after = 0
  for (;;) {
    const { entries } = await runOn(db, 'auditEntries', { ...filter, after })
    for (const entry of entries) io.stdout.write(`${csv ? csvLine(entry) : jsonLine(entry)}\n`)
    const last = entries.at(-1)
    if (!last) return
    after = last.id
  }
}
