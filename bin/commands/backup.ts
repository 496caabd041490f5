import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { runOn } from '../../src/admin/run-on.ts'
import { requireFile } from '../file-only.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

interface BackupOptions extends Common {
  target: string
  /** Whether to copy the secret as well. */
  secret: boolean
}

/** Writes a consistent backup of the database, even while a server uses it. */
export async function backup(options: BackupOptions, io: Io): Promise<void> {
  const { target, json } = options
  const made = await copy(options, target)
  print(io, json, made, [
    `Backed up ${options.db} to ${target} (${made.kib} KiB).`,
    made.secret
      ? `The secret is in ${target}.secret. Anyone with both files can sign in as any user, so keep them apart.`
      : 'Without the secret no API key works after a restore; people sign in with their passwords.',
  ])
}

export async function copy({ db, secret }: Pick<BackupOptions, 'db' | 'secret'>, target: string) {
  // The server that writes the backup may have another working directory.
  requireFile(db, `use PostgreSQL's own tools to back it up: pg_dump --format=custom --file=${target} ADDRESS`)
  const file = resolve(target)
  if (existsSync(file)) throw new Error(`${target} already exists. A backup needs a new file`)
  const made = await runOn(db, 'backup', { file, secret })
  return { ...made, kib: Math.ceil(statSync(file).size / 1024) }
}
