import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { MAX_IMPORT_BYTES } from '../../kernel/base/limits.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, id, none } from '../../kernel/fields.ts'
import { linkBase } from '../../kernel/public-url.ts'
import { sendsMail } from '../../mail/mail-service.ts'
import { importJobShape, importReportShape, importShape } from '../../shapes/import.ts'
import { empty, integer } from '../../shapes/values.ts'
import { serverFiles } from './job.ts'
import { jobView } from './job-view.ts'
import { listImports as list, showImport as show } from './list.ts'
import { addJob, requireNoJob } from './new-job.ts'
import { inviteNewcomers as invite, newcomersOf } from './newcomers.ts'

const params = v.object({ import_id: described(id, 'ID of the import.') })

/**
 * GET /imports: lists all imports, newest first, with the one that is prepared, runs or is undone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 */
export const listImports = action(
  {
    name: 'listImports',
    summary: 'List imports',
    params: none,
    result: v.strictObject({
      imports: v.array(importShape),
      job: v.nullable(importJobShape),
      /** Files and folders that can be imported from the server; null if the operator named no folder for them. */
      server_files: v.nullable(v.array(v.string())),
      /** Bytes that an uploaded archive can have, and how many of them fit into one request. */
      max_upload_bytes: integer,
      max_piece_bytes: integer,
    }),
    role: 'owner',
  },
  async (caller) => ({
    imports: await list(caller.chat),
    job: await jobView(caller),
    server_files: await serverFiles(caller.chat),
    max_upload_bytes: MAX_IMPORT_BYTES,
    max_piece_bytes: caller.chat.options.maxFileUploadSizeMib * 1024 * 1024,
  }),
)

/**
 * GET /imports/{import_id}: returns an import with its report.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none
 */
export const getImport = action(
  {
    name: 'getImport',
    summary: 'Get an import and its report',
    params,
    result: v.strictObject({
      ...importShape.entries,
      /** null until the import finishes. */
      report: v.nullable(importReportShape),
      /** How many of its people have no password yet, and can be invited. */
      newcomers: integer,
      /** Whether this server sends email. */
      sends_mail: v.boolean(),
    }),
    role: 'owner',
  },
  async (caller, { import_id }) => {
    const { chat } = caller
    const found = await show(chat, import_id)
    const isGone = found.undone_at !== null
    const newcomers = isGone ? 0 : (await newcomersOf(caller, import_id)).length
    return { ...found, newcomers, sends_mail: await sendsMail(caller) }
  },
)

/**
 * POST /imports/{import_id}/undo: removes everything that an import created. It works in the background. If people have
 * used the imported data since, the job fails, and its `problem` lists the reasons.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none, if it was undone, and while another import is prepared or runs
 */
export const undoImport = action(
  {
    name: 'undoImport',
    summary: 'Undo an import',
    audit: { subject: 'import', id: ({ import_id }) => import_id, details: () => ({ undo: 'requested' }) },
    params,
    result: empty,
    role: 'owner',
  },
  (caller, { import_id }) =>
    caller.write(async (tx) => {
      const row = await tx.db.selectFrom('import').selectAll().where('id', '=', import_id).executeTakeFirst()
      if (!row) throw badRequest(`Import ${import_id} does not exist`)
      if (row.undone_at !== null) throw badRequest(`Import ${import_id} was already undone`)
      await requireNoJob(tx)
      await addJob(tx, { file: row.file, phase: 'undoing', import_id })
      return {}
    }),
)

/**
 * POST /imports/{import_id}/invite: creates a link to set a password for each person whom the import brought and who has
 * none, or sends it to them. A link replaces the person's earlier one, and works once within 7 days.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none, if it was undone, and with `mail` if the server sends no email
 */
export const inviteNewcomers = action(
  {
    name: 'inviteNewcomers',
    summary: 'Invite the people of an import',
    params: v.object({ ...params.entries, mail: described(v.nullish(bool, false), 'Sends the links by email.') }),
    result: v.strictObject({
      newcomers: v.array(
        v.strictObject({
          email: v.string(),
          full_name: v.string(),
          /** null if it was sent by email. */
          link_url: v.nullable(v.string()),
        }),
      ),
    }),
    secret: true,
    role: 'owner',
  },
  async (caller, { import_id, mail }) => {
    const base = linkBase(caller.chat) ?? caller.origin
    const all = await invite(caller.chat, import_id, { mail: mail ?? false, by: caller })
    return {
      newcomers: all.map(({ email, full_name, path }) => ({ email, full_name, link_url: path && `${base}${path}` })),
    }
  },
)
