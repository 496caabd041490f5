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
  requireFile(db, "use PostgreSQL's own tools to restore it: pg_restore")
  const restored = await restoreFile(source, db, force)
  const { messages, users, last_message_at, bytes, ids, secret, former_secret } = restored
  const last = last_message_at === null ? 'none' : new Date(last_message_at * 1000).toISOString()
  print(io, json, { file: source, db, ...restored }, [
    `Restored ${source} to ${db}.`,
    '',
    `  Messages       ${messages}, last sent ${last}`,
    `  Users          ${users}`,
    `  Size           ${Math.ceil(bytes / 1024)} KiB`,
    '',
    `Clients register again. New message IDs start at ${ids.message + 1}, so that clients can't confuse new messages with lost ones.`,
    secrets[secret],
    ...(former_secret === undefined
      ? []
      : [`The previous secret, which belongs to another database, was moved to ${former_secret}.`]),
  ])
}

const secrets = {
  restored: 'The secret was restored with the backup, so API keys from the backup work.',
  kept: 'The existing secret matches the backup, so API keys from the backup work.',
  missing: "The backup has no secret, so existing API keys don't work. People can sign in with their passwords.",
} as const
