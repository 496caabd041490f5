import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { runOn } from '../../src/admin/run-on.ts'
import { nameOf } from '../../src/storage/index.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

interface ExportOptions extends Common {
  target: string
  /** Which data to export; all of it by default. */
  only?: 'public' | 'consent'
  format?: 'zulip' | 'jsonl'
  /** The address of the person whose data alone is exported. */
  user?: string
}

/** Writes the organization's data as an archive. */
export async function exportData({ db, json, target, only, format, user }: ExportOptions, io: Io): Promise<void> {
  // The server that writes it may have another working directory.
  const file = resolve(target)
  if (existsSync(file)) throw new Error(`${target} already exists. An export needs a new file`)
  const report = (progress: string) => void io.stderr.write(`${progress}\n`)
  const made = await runOn(
    db,
    'exportData',
    { file, kind: only ?? 'full', ...(format && { format }), ...(user !== undefined && { user }) },
    { report },
  )
  const kib = Math.ceil(statSync(file).size / 1024)
  print(io, json, { ...made, kib }, [
    `Exported ${user === undefined ? `${only ?? 'all'} data` : `the data of ${user}`} of ${nameOf(db)} to ${target} (${kib} KiB).`,
  ])
}
