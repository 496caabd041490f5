import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { secretFile } from '../../src/storage/index.ts'
import { runCommand } from '../run-command.ts'

/** A consistent copy of the database, also while a server uses it. */
export async function backup({ db, file }: { db: string; file: string }): Promise<void> {
  // The server that makes the copy may run in another folder.
  const target = resolve(file)
  if (existsSync(target)) throw new Error(`${file} exists already; a backup needs a new file`)
  await runCommand(db, 'backup', { file: target })
  const kib = Math.ceil(statSync(target).size / 1024)
  process.stdout.write(
    `Backed up ${db} to ${file} (${kib} KiB). API keys also need ${secretFile(db)}: keep a copy apart.\n`,
  )
}
