import * as v from 'valibot'
import { spaceUsed } from '../../files/space.ts'
import { action } from '../../kernel/action.ts'
import { servedFile } from '../../kernel/answers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, none, text } from '../../kernel/fields.ts'
import { roles } from '../../kernel/roles.ts'
import { settingsOfUser } from '../../settings/user.ts'
import { consentShape, exportShape } from '../../shapes/export.ts'
import { empty } from '../../shapes/values.ts'
import { emitExports, exportViews, OWN_KIND } from './export-view.ts'
import { exporterOf } from './exporter.ts'
import { exportGone, removeExport, servedExport } from './stored-export.ts'
import { consentingUsers } from './tables/scope.ts'

const DAY = 86_400
/** Like upstream: at most this many exports in this many days, and only for smaller organizations. */
const MAX_EXPORTS = 5
const DAYS = 7
const MAX_MESSAGES = 250_000
const MAX_FILE_BYTES = 10 * 1024 ** 3

const kindNames = ['public', 'full_with_consent', 'full_without_consent'] as const
const numberOf = (kind: string | number): number => (kind === 'public' || kind === 1 ? 1 : 2)

/**
 * POST /export/realm: requests an archive of the organization's public data, or also of the private data of users who
 * agreed. It is made in the background, and `realm_export` announces it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Exceeded rate limit." after 5 in 7 days; "Please request a manual export from …" with more than
 * 250,000 messages or 10 GiB of files
 * @example
 * const { id } = await startExport(admin, { export_type: 'public' })
 */
export const startExport = action(
  {
    name: 'startExport',
    summary: "Start an export of the organization's data",
    audit: { subject: 'export', made: ({ id }) => id },
    params: v.object({
      export_type: described(
        v.nullish(v.picklist([...kindNames, 1, 2], 'Invalid export_type'), 'public'),
        '`public`, or `full_with_consent` to include the private data of users who agree. Formerly 1 and 2.',
      ),
    }),
    result: v.strictObject({ id }),
    role: 'administrator',
    idempotencyKey: 'one write',
  },
  (caller, { export_type }) =>
    caller.write(async (tx) => {
      if (export_type === 'full_without_consent') {
        throw badRequest('Exporting private data without consent is not enabled for this organization.')
      }
      const now = seconds(tx.chat.clock)
      await requireModestSize(tx)
      const recent = await tx.db
        .selectFrom('data_export')
        .select('id')
        .where('kind', '!=', OWN_KIND)
        .where('requested_at', '>', now - DAYS * DAY)
        .execute()
      if (recent.length >= MAX_EXPORTS) throw badRequest('Exceeded rate limit.')
      const kind = numberOf(export_type)
      const row = await tx.db
        .insertInto('data_export')
        .values({ user_id: tx.user.id, kind, requested_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emitExports(tx, { kind })
      tx.afterCommit(() => exporterOf(tx.chat).wake())
      return row
    }),
)

async function requireModestSize({ db }: Context): Promise<void> {
  const beyond = await db
    .selectFrom('message')
    .select('id')
    .orderBy('id')
    .limit(1)
    .offset(MAX_MESSAGES)
    .executeTakeFirst()
  if (!beyond && (await spaceUsed(db)) <= MAX_FILE_BYTES) return
  const owner = await db
    .selectFrom('user')
    .select('email')
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  throw badRequest(`Please request a manual export from ${owner?.email ?? 'the server administrator'}.`)
}

/**
 * GET /export/realm: lists the newest hundred archives, newest last, including deleted and failed ones.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const listExports = action(
  {
    name: 'listExports',
    summary: "List the archives of the organization's data",
    params: none,
    result: v.strictObject({ exports: v.array(exportShape) }),
    role: 'administrator',
  },
  async (caller) => ({ exports: await exportViews(caller, caller.origin) }),
)

/**
 * DELETE /export/realm/{export_id}: deletes an archive.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an unknown archive, and for a deleted one
 */
export const deleteExport = action(
  {
    name: 'deleteExport',
    summary: 'Delete an archive',
    audit: { subject: 'export', id: ({ export_id }) => export_id },
    params: v.object({ export_id: described(id, 'ID of the archive.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { export_id }) =>
    caller.write(async (tx) => {
      const row = await tx.db
        .selectFrom('data_export')
        .selectAll()
        .where('id', '=', export_id)
        .where('kind', '!=', OWN_KIND)
        .executeTakeFirst()
      await removeExport(tx, row)
      return {}
    }),
)

/**
 * GET /export/realm/consents: lists which active users allow administrators to export their private data.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const listExportConsents = action(
  {
    name: 'listExportConsents',
    summary: 'List whether users agree to the export of their private data',
    params: none,
    result: v.strictObject({ export_consents: v.array(consentShape) }),
    role: 'administrator',
  },
  async (caller) => {
    const consenting = await consentingUsers(caller)
    const users = await caller.db
      .selectFrom('user')
      .select('id')
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
      .where('is_system_bot', '=', 0)
      .orderBy('id')
      .execute()
    const export_consents = []
    for (const { id } of users) {
      const { email_address_visibility } = await settingsOfUser(caller, id)
      export_consents.push({ user_id: id, consented: consenting.has(id), email_address_visibility })
    }
    return { export_consents }
  },
)

/**
 * GET /user_avatars/exports/{path}: returns an archive, for administrators.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST with status 404 if the archive doesn't exist
 */
export const getExport = action(
  {
    name: 'getExport',
    summary: 'Get an archive',
    params: v.object({ path: described(text, "The rest of the archive's URL.") }),
    result: servedFile,
    answers: 'bytes',
    role: 'administrator',
  },
  async ({ db }, { path }) => {
    const row = await db
      .selectFrom('data_export')
      .selectAll()
      .where('path', '=', path)
      .where('kind', '!=', OWN_KIND)
      .executeTakeFirst()
    if (!row) throw exportGone()
    return servedExport(db, row)
  },
)
