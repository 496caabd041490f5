import type { Dialect } from './dialect.ts'
import { StorageError } from './errors.ts'
import type { Db } from './handle.ts'
import type { Migration } from './migration.ts'
import { firstRelease } from './migrations/2026-11-28-first-release.ts'
import { channels } from './migrations/2026-11-29-channels.ts'
import { devicesViewsReminders } from './migrations/2026-11-29-devices-views-reminders.ts'
import { imports } from './migrations/2026-11-30-imports.ts'
import { textsAndPatterns } from './migrations/2026-11-30-texts-and-patterns.ts'
import { topicsPolicy } from './migrations/2026-11-30-topics-policy.ts'
import { webhookDeliveries } from './migrations/2026-11-30-webhook-deliveries.ts'
import { searchMerging } from './migrations/2026-12-01-search-merging.ts'
import { people } from './migrations/2026-12-02-people.ts'
import { pushDevices } from './migrations/2026-12-02-push-devices.ts'
import { webhookTemplates } from './migrations/2026-12-02-webhook-templates.ts'
import { account } from './migrations/2026-12-03-account.ts'
import { audit } from './migrations/2026-12-03-audit.ts'
import { botCommands } from './migrations/2026-12-03-bot-commands.ts'
import { feeds } from './migrations/2026-12-03-feeds.ts'
import { level } from './migrations/2026-12-03-level.ts'
import { mail } from './migrations/2026-12-03-mail.ts'
import { secondFactor } from './migrations/2026-12-03-second-factor.ts'
import { mailSafety } from './migrations/2026-12-04-mail.ts'
import { signOn } from './migrations/2026-12-04-sign-on.ts'
import { exportFiles } from './migrations/2026-12-05-export-files.ts'
import { providerSession } from './migrations/2026-12-05-provider-session.ts'
import { unfinishedMoves } from './migrations/2026-12-05-unfinished-moves.ts'
import { wrongCodes } from './migrations/2026-12-05-wrong-codes.ts'
import { blockedPeople } from './migrations/2026-12-06-blocked-people.ts'
import { directorySync } from './migrations/2026-12-06-directory-sync.ts'
import { limitedKeys } from './migrations/2026-12-06-limited-keys.ts'
import { mailIn } from './migrations/2026-12-06-mail-in.ts'
import { moderation } from './migrations/2026-12-06-moderation.ts'
import { passkeys } from './migrations/2026-12-06-passkeys.ts'
import { slowMode } from './migrations/2026-12-06-slow-mode.ts'
import { confirmedSessions } from './migrations/2026-12-07-confirmed-sessions.ts'
import { contentFilters } from './migrations/2026-12-07-content-filters.ts'
import { heldMessages } from './migrations/2026-12-07-held-messages.ts'
import { importJob } from './migrations/2026-12-07-import-job.ts'
import { signOnProviders } from './migrations/2026-12-07-sign-on-providers.ts'
import { terms } from './migrations/2026-12-07-terms.ts'
import { mailbox } from './migrations/2026-12-08-mailbox.ts'
import { pageMailServer } from './migrations/2026-12-08-page-mail-server.ts'
import { pinnedMessages } from './migrations/2026-12-08-pinned-messages.ts'
import { reactionsOfUsers } from './migrations/2026-12-08-reactions-of-users.ts'
import { sealedBotKeys } from './migrations/2026-12-08-sealed-bot-keys.ts'
import { firstPasswords } from './migrations/2026-12-08-set-first-passwords.ts'
import { wideSearchMerges } from './migrations/2026-12-08-wide-search-merges.ts'
import { statement } from './statement.ts'
import type { Store } from './store.ts'

export const migrations: readonly Migration[] = [
  firstRelease,
  channels,
  devicesViewsReminders,
  imports,
  textsAndPatterns,
  topicsPolicy,
  webhookDeliveries,
  searchMerging,
  people,
  pushDevices,
  webhookTemplates,
  account,
  audit,
  botCommands,
  feeds,
  level,
  mail,
  secondFactor,
  mailSafety,
  signOn,
  exportFiles,
  providerSession,
  unfinishedMoves,
  wrongCodes,
  blockedPeople,
  directorySync,
  limitedKeys,
  mailIn,
  moderation,
  passkeys,
  slowMode,
  confirmedSessions,
  contentFilters,
  heldMessages,
  importJob,
  signOnProviders,
  terms,
  mailbox,
  pageMailServer,
  pinnedMessages,
  reactionsOfUsers,
  sealedBotKeys,
  firstPasswords,
  wideSearchMerges,
]

/** Migrations from before the first release. Together they equal `firstRelease`. */
const beforeFirstRelease: readonly string[] = [
  '2026-11-21-init',
  '2026-11-22-event-ids',
  '2026-11-22-rights',
  '2026-11-22-search-text',
  '2026-11-22-secret-fingerprint',
  '2026-11-23-drafts',
  '2026-11-23-email-visibility',
  '2026-11-23-linkifiers',
  '2026-11-23-message-archive',
  '2026-11-23-password-links',
  '2026-11-24-bots',
  '2026-11-24-files',
  '2026-11-24-invitations',
  '2026-11-24-newcomers',
  '2026-11-24-outgoing',
  '2026-11-24-short-words',
  '2026-11-25-exports',
  '2026-11-25-peers',
  '2026-11-25-system-bots',
  '2026-11-26-recently-active',
  '2026-11-27-web-push',
]

/** The last commit with these migrations. */
const LAST_WITH_THEM = 'ed9a4aa19a97'

const names = statement((db, _: object) => db.selectFrom('migration').select('name').orderBy('name'))

/** Returns the names of the migrations applied to a database; none for an empty one. */
export async function applied(db: Db, hasTables: boolean): Promise<string[]> {
  if (!hasTables) return []
  const rows = await names(db, {})
  return rows.map((row) => row.name)
}

/**
 * Returns the migrations to apply.
 *
 * @throws StorageError `newer` if the database is newer than this program, `unsupported` if it is older than the first
 * release
 */
export function pending(recorded: readonly string[], known: readonly Migration[] = migrations): Migration[] {
  const done = withFirstRelease(recorded)
  const unknown = done.filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new StorageError(
      'newer',
      `This database was last opened by a newer chat-server. Its latest migration is "${unknown.at(-1)}", ` +
        `and this version only includes migrations up to "${known.at(-1)?.name}". Nothing was changed. Install the newer version.`,
    )
  }
  return known.filter((migration) => !done.includes(migration.name))
}

/** Returns the recorded names. Complete migrations from before the first release count as the first release. */
function withFirstRelease(recorded: readonly string[]): readonly string[] {
  const later = recorded.filter((name) => !beforeFirstRelease.includes(name))
  if (later.length === recorded.length) return recorded
  if (recorded.length - later.length === beforeFirstRelease.length) return [firstRelease.name, ...later]
  throw new StorageError(
    'unsupported',
    `This database is older than version 0.1.0. Start it once with chat-server at commit ${LAST_WITH_THEM}, then with this version. Nothing was changed.`,
  )
}

/**
 * Applies each migration in a transaction of its own, together with its bookkeeping row, so that none is half applied.
 * A new database gets all of them in one transaction, which waits for the disk once.
 * `snapshot` is the copy made before, for the error message.
 */
export async function migrate(
  store: Pick<Store, 'write'>,
  dialect: Dialect,
  todo: readonly Migration[],
  now: () => number,
  { snapshot, isNew = false }: { snapshot?: string | undefined; isNew?: boolean } = {},
): Promise<void> {
  const steps = isNew ? [todo] : todo.map((migration) => [migration])
  for (const step of steps) {
    let [current] = step
    if (!current) continue
    const work = store.write(async ({ db }) => {
      await db.schema
        .createTable('migration')
        .ifNotExists()
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('applied_at', 'bigint', (c) => c.notNull())
        .execute()
      for (const migration of step) {
        current = migration
        await migration.up(db, dialect)
        await db.insertInto('migration').values({ name: migration.name, applied_at: now() }).execute()
      }
    })
    await work.catch((error) => {
      const kind = error instanceof StorageError ? error.kind : 'broken'
      throw new StorageError(kind, failed(current!, error, snapshot), { cause: error })
    })
  }
}

function failed({ name }: Migration, error: unknown, snapshot: string | undefined): string {
  const reason = error instanceof Error ? error.message : String(error)
  const copy = snapshot ? ` A copy of the database from before the migration is in ${snapshot}.` : ''
  return `The migration "${name}" failed and was undone: ${reason}.${copy}`
}
