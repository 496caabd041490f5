import { restore as restoreFile } from '../../src/admin/restore.ts'
import { requireFile } from '../file-only.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

interface RestoreOptions extends Common {
  source: string
  /** Whether to replace an existing database. */
  force?: boolean
}

/** Replaces the database, which no server may be using, by a backup. */
export async function restore({ db, json, source, force = false }: RestoreOptions, io: Io): Promise<void> {
  requireFile(db, "its server's own tools restore it: pg_restore")
  const restored = await restoreFile(source, db, force)
  const { messages, users, last_message_at, bytes, ids, secret, former_secret } = restored
  const last = last_message_at === null ? 'none' : new Date(last_message_at * 1000).toISOString()
  print(io, json, { file: source, db, ...restored }, [
    `Restored ${source} to ${db}.`,
    '',
    `  Messages       ${messages}, the last of ${last}`,
    `  Users          ${users}`,
    `  Size           ${Math.ceil(bytes / 1024)} KiB`,
    '',
    `Clients register again. New messages have ids from ${ids.message + 1} on, so that no client takes one for a lost one.`,
    secrets[secret],
    ...(former_secret === undefined
      ? []
      : [`The secret that was there before, of another database, is in ${former_secret}.`]),
  ])
}

const secrets = {
  restored: 'The secret came with the backup: API keys of its time work.',
  kept: 'The secret that was there is the one of the backup: API keys of its time work.',
  missing: 'There is no secret with the backup: no API key from before works, and people sign in with their passwords.',
} as const
