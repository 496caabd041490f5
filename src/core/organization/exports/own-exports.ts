import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { servedFile } from '../../kernel/answers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, contextOf } from '../../kernel/context.ts'
import { badRequest, notPermitted } from '../../kernel/errors.ts'
import { described, id, none } from '../../kernel/fields.ts'
import { isBot } from '../../kernel/roles.ts'
import { ownExportShape } from '../../shapes/export.ts'
import { empty } from '../../shapes/values.ts'
import { type DataExport, isPending, OWN_KIND } from './export-view.ts'
import { exporterOf } from './exporter.ts'
import { exportGone, removeExport, servedExport } from './stored-export.ts'

const DAY = 86_400
/** How long an archive can be downloaded. */
const KEPT_DAYS = 7
/** A person's archives in this many days. */
const MAX_EXPORTS = 5
const DAYS = 7
/** Path of archives, below the server's own address. */
export const OWN_EXPORTS_PATH = '/user_exports'

const expiry = ({ finished_at }: DataExport): number | null =>
  finished_at === null ? null : finished_at + KEPT_DAYS * DAY

/**
 * POST /users/me/exports: requests an archive of everything that the caller sent, uploaded and set. It is made in the
 * background, replaces the earlier one, and is deleted after a week. Only the caller can download it.
 *
 * @throws BAD_REQUEST for a bot, while an archive is in progress, and after 5 in 7 days
 */
export const startOwnExport = action(
  {
    name: 'startOwnExport',
    summary: "Start an export of the caller's own data",
    audit: { subject: 'export', made: ({ id }) => id },
    params: none,
    result: v.strictObject({ id }),
  },
  (caller) =>
    caller.write(async (tx) => {
      if (isBot(tx.user)) throw notPermitted()
      const now = seconds(tx.chat.clock)
      const rows = await tx.db
        .selectFrom('data_export')
        .selectAll()
        .where('kind', '=', OWN_KIND)
        .where('user_id', '=', tx.user.id)
        .orderBy('id')
        .execute()
      if (rows.some(isPending)) throw badRequest('An export of your data is already in progress.')
      if (rows.filter(({ requested_at }) => requested_at > now - DAYS * DAY).length >= MAX_EXPORTS)
        throw badRequest(`You can export your data ${MAX_EXPORTS} times in ${DAYS} days. Try again later.`)
      for (const row of rows.filter(({ blob_id }) => blob_id !== null)) await removeExport(tx, row)
      const made = await tx.db
        .insertInto('data_export')
        .values({ user_id: tx.user.id, kind: OWN_KIND, requested_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      tx.afterCommit(() => exporterOf(tx.chat).wake())
      return made
    }),
)

/**
 * GET /users/me/exports: returns the newest archive of the caller's own data, unless it was deleted.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 */
export const listOwnExports = action(
  {
    name: 'listOwnExports',
    summary: "List the archives of the caller's own data",
    params: none,
    result: v.strictObject({ exports: v.array(ownExportShape) }),
  },
  async ({ db, user, chat, origin }) => {
    const newest = await db
      .selectFrom('data_export')
      .selectAll()
      .where('kind', '=', OWN_KIND)
      .where('user_id', '=', user.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!newest || newest.deleted_at !== null || isExpired(chat, newest)) return { exports: [] }
    const { id, requested_at, failed_at, size } = newest
    const view = {
      id,
      export_time: requested_at,
      pending: isPending(newest),
      failed_timestamp: failed_at,
      expires_at: expiry(newest),
      size,
      export_url: newest.path === null ? null : `${origin}${OWN_EXPORTS_PATH}/${id}`,
    }
    return { exports: [view] }
  },
)

/**
 * DELETE /users/me/exports/{export_id}: deletes an archive of the caller's own data.
 *
 * @throws BAD_REQUEST for an unknown archive, and for a deleted one
 */
export const deleteOwnExport = action(
  {
    name: 'deleteOwnExport',
    summary: "Delete an archive of the caller's own data",
    audit: { subject: 'export', id: ({ export_id }) => export_id },
    params: v.object({ export_id: described(id, 'ID of the archive.') }),
    result: empty,
  },
  (caller, { export_id }) =>
    caller.write(async (tx) => {
      await removeExport(tx, await findOwn(tx, export_id))
      return {}
    }),
)

/** Returns an archive of the caller's own data; undefined if it doesn't exist or is another person's. */
const findOwn = ({ db, user }: Pick<Caller, 'db' | 'user'>, export_id: number) =>
  db
    .selectFrom('data_export')
    .selectAll()
    .where('id', '=', export_id)
    .where('kind', '=', OWN_KIND)
    .where('user_id', '=', user.id)
    .executeTakeFirst()

/**
 * GET /user_exports/{export_id}: returns an archive of the caller's own data.
 *
 * @throws BAD_REQUEST with status 404 if the archive doesn't exist, has expired, or is another person's
 */
export const getOwnExport = action(
  {
    name: 'getOwnExport',
    summary: "Get an archive of the caller's own data",
    params: v.object({ export_id: described(id, 'ID of the archive.') }),
    result: servedFile,
    answers: 'bytes',
  },
  async (caller, { export_id }) => {
    const row = await findOwn(caller, export_id)
    if (!row || row.path === null || isExpired(caller.chat, row)) throw exportGone()
    return servedExport(caller.db, row)
  },
)

const isExpired = ({ clock }: Chat, row: DataExport): boolean => (expiry(row) ?? Infinity) <= seconds(clock)

/** Deletes the archives of people's own data that have expired. */
export async function removeExpiredExports(chat: Chat): Promise<void> {
  await contextOf(chat).write(async (tx) => {
    const rows = await tx.db
      .selectFrom('data_export')
      .selectAll()
      .where('kind', '=', OWN_KIND)
      .where('blob_id', 'is not', null)
      .execute()
    for (const row of rows) if (isExpired(chat, row)) await removeExport(tx, row)
  })
}
