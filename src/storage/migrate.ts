import type { Dialect } from './dialect.ts'
import { StorageError } from './errors.ts'
import type { Db } from './handle.ts'
import type { Migration } from './migration.ts'
import { init } from './migrations/2026-11-21-init.ts'
import { eventIds } from './migrations/2026-11-22-event-ids.ts'
import { rights } from './migrations/2026-11-22-rights.ts'
import { searchText } from './migrations/2026-11-22-search-text.ts'
import { secretFingerprint } from './migrations/2026-11-22-secret-fingerprint.ts'
import { drafts } from './migrations/2026-11-23-drafts.ts'
import { emailVisibility } from './migrations/2026-11-23-email-visibility.ts'
import { linkifiers } from './migrations/2026-11-23-linkifiers.ts'
import { messageArchive } from './migrations/2026-11-23-message-archive.ts'
import { passwordLinks } from './migrations/2026-11-23-password-links.ts'
import { bots } from './migrations/2026-11-24-bots.ts'
import { files } from './migrations/2026-11-24-files.ts'
import { invitations } from './migrations/2026-11-24-invitations.ts'
import { newcomers } from './migrations/2026-11-24-newcomers.ts'
import { outgoing } from './migrations/2026-11-24-outgoing.ts'
import { shortWords } from './migrations/2026-11-24-short-words.ts'
import { exports } from './migrations/2026-11-25-exports.ts'
import { peers } from './migrations/2026-11-25-peers.ts'
import { systemBots } from './migrations/2026-11-25-system-bots.ts'
import { recentlyActive } from './migrations/2026-11-26-recently-active.ts'
import { webPush } from './migrations/from-2026-11-27/2026-11-27-web-push.ts'
import type { Store } from './store.ts'

export const migrations: readonly Migration[] = [
  init,
  eventIds,
  rights,
  searchText,
  secretFingerprint,
  drafts,
  emailVisibility,
  linkifiers,
  messageArchive,
  passwordLinks,
  bots,
  files,
  invitations,
  newcomers,
  outgoing,
  shortWords,
  exports,
  peers,
  systemBots,
  recentlyActive,
  webPush,
]

/** Names of the migrations applied to a database, none for an empty one. */
export async function applied(db: Db, hasTables: boolean): Promise<string[]> {
  if (!hasTables) return []
  const rows = await db.selectFrom('migration').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** The migrations still to be applied. Throws where the database is newer than this program. */
export function pending(done: readonly string[], known: readonly Migration[] = migrations): Migration[] {
  const unknown = done.filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new StorageError(
      'newer',
      `This database was last opened by a newer chat-server: it needs a version that knows "${unknown.at(-1)}". ` +
        `This one ends at "${known.at(-1)?.name}". Nothing was changed.`,
    )
  }
  return known.filter((migration) => !done.includes(migration.name))
}

/**
 * Applies each migration in a transaction of its own, together with its bookkeeping row, so none is
 * half-applied. `snapshot` is the copy made before, for the error message.
 */
export async function migrate(
  store: Pick<Store, 'write'>,
  dialect: Dialect,
  todo: readonly Migration[],
  now: () => number,
  snapshot?: string,
): Promise<void> {
  for (const migration of todo) {
    const work = store.write(async ({ db }) => {
      await db.schema
        .createTable('migration')
        .ifNotExists()
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('applied_at', 'bigint', (c) => c.notNull())
        .execute()
      await migration.up(db, dialect)
      await db.insertInto('migration').values({ name: migration.name, applied_at: now() }).execute()
    })
    await work.catch((error) => {
      const kind = error instanceof StorageError ? error.kind : 'broken'
      throw new StorageError(kind, failed(migration, error, snapshot), { cause: error })
    })
  }
}

function failed({ name }: Migration, error: unknown, snapshot: string | undefined): string {
  const reason = error instanceof Error ? error.message : String(error)
  const copy = snapshot ? ` The database as it was before is in ${snapshot}.` : ''
  return `The migration "${name}" failed and was undone: ${reason}.${copy}`
}
