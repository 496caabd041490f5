import * as v from 'valibot'
import { email as emailSchema } from '../../accounts/create.ts'
import { shownName } from '../../files/names.ts'
import { TUS_PATH } from '../../files/tus/protocol.ts'
import { addUpload } from '../../files/unfinished.ts'
import { action } from '../../kernel/action.ts'
import { MAX_IMPORT_BYTES } from '../../kernel/base/limits.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { diskSpaceOf } from '../../kernel/disk-space.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { bool, count, described, id, integer, text } from '../../kernel/fields.ts'
import { servedPath } from '../../kernel/public-url.ts'
import { importPersonShape, topicChoices } from '../../shapes/import.ts'
import { empty } from '../../shapes/values.ts'
import { changeJob, type ImportJob, jobOf, removeJob, serverFile } from './job.ts'
import { storedTopics } from './job-view.ts'
import { addJob, requireNoJob, unchecked, wakeAfter } from './new-job.ts'

const GIB = 1024 ** 3
const PAGE = 200

/** The job, if it is in one of these phases. */
async function jobIn({ db }: Tx, phases: readonly ImportJob['phase'][]): Promise<ImportJob> {
  const job = await jobOf(db)
  if (!job) throw badRequest('No import is being prepared')
  if (phases.includes(job.phase)) return job
  throw badRequest(`This isn't possible now, because the import is in the phase "${job.phase}"`)
}

/**
 * POST /import_job: prepares an import of an archive that is uploaded next, or of a file or folder in the server's folder
 * for imports. A dry run begins as soon as the archive is complete.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws TOO_LARGE over 20 GiB
 * @throws STORAGE_FULL
 * @throws BAD_REQUEST while another import is prepared, runs or is undone, and if the server has no such file
 */
export const createImportJob = action(
  {
    name: 'createImportJob',
    summary: 'Prepare an import',
    audit: {
      subject: 'import',
      details: ({ filename, server_file }) => ({ file: server_file ?? filename ?? null }),
    },
    params: v.object({
      filename: described(v.nullish(text), 'Name of the archive that is uploaded next.'),
      size: described(v.nullish(count), 'Its size in bytes.'),
      server_file: described(
        v.nullish(text),
        "Instead of both, the name of a file or folder in the server's folder for imports.",
      ),
    }),
    result: v.strictObject({
      id,
      /** Where the archive goes, with the protocol of resumable uploads, in pieces of at most the maximum size of files. */
      upload_url: v.nullable(v.string()),
    }),
    role: 'owner',
    errors: ['TOO_LARGE', 'STORAGE_FULL'],
  },
  async (caller, { filename, size, server_file }) => {
    const isThere = server_file != null && (await serverFile(caller.chat, server_file)) !== undefined
    if (server_file != null && !isThere) throw badRequest("The server's folder for imports has no such file")
    if (server_file == null && !size) throw badRequest('Name a file of the server, or the size of an archive')
    if ((size ?? 0) > MAX_IMPORT_BYTES)
      throw new ChatError(
        'TOO_LARGE',
        `Archives can have up to ${MAX_IMPORT_BYTES / GIB} GiB. Put larger ones on the server.`,
      )
    diskSpaceOf(caller.chat).requireRoomForFile(server_file == null ? size! : 0)
    return caller.write(async (tx) => {
      await requireNoJob(tx)
      if (server_file != null) return { id: await addJob(tx, { file: server_file, on_server: 1 }), upload_url: null }
      const token = randomText(tx.chat.random, 32)
      const file = shownName(filename ?? '')
      const upload = await addUpload(tx, { name: file, content_type: '', token, size: size! })
      const job = await addJob(tx, { file, upload_id: upload.id, size: size! })
      return { id: job, upload_url: servedPath(tx.chat, `${TUS_PATH}/${token}`) }
    })
  },
)

const account = v.nullable(
  v.union([v.picklist(['stub', 'skip']), emailSchema], '{name} must be null, "stub", "skip" or an email address'),
)

/**
 * PATCH /import_job: changes options and what people are mapped to. The report doesn't match then until the next dry run.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST unless an import is prepared, and for unknown people
 */
export const updateImportJob = action(
  {
    name: 'updateImportJob',
    summary: 'Change the options of an import',
    audit: { subject: 'import', details: ({ people, ...options }) => ({ ...options, people: people?.length ?? 0 }) },
    params: v.object({
      topics: described(v.nullish(v.picklist(topicChoices, 'Invalid {name}')), 'Topics for messages outside threads.'),
      topic_gap_hours: described(
        v.nullish(v.pipe(integer, v.minValue(1, '{name} must be positive'), v.maxValue(720, '{name} is too large')), 4),
        'For `by-gap`: hours of silence after which a topic begins.',
      ),
      download_files: described(v.nullish(bool), 'Downloads files if the archive has only their addresses.'),
      people: described(
        v.nullish(v.pipe(v.array(v.object({ nth: count, account })), v.maxLength(PAGE, 'At most 200 people'))),
        'People by their position in the list: an email address, `stub`, `skip`, or null for the suggestion.',
      ),
    }),
    result: empty,
    role: 'owner',
  },
  (caller, { topics, topic_gap_hours, download_files, people }) =>
    caller.write(async (tx) => {
      const job = await jobIn(tx, ['ready', 'failed'])
      for (const { nth, account } of people ?? []) {
        const found = await tx.db
          .updateTable('import_job_person')
          .set({ account })
          .where('job_id', '=', job.id)
          .where('nth', '=', nth)
          .returning('nth')
          .executeTakeFirst()
        if (!found) throw badRequest(`The list of people has no number ${nth}`)
      }
      await changeJob(tx, job.id, {
        checked: 0,
        ...(topics != null && { topics: storedTopics(topics, topic_gap_hours ?? 4) }),
        ...(download_files != null && { download_files: download_files ? 1 : 0 }),
      })
      return {}
    }),
)

/**
 * POST /import_job/start: starts the import, or another dry run. Both continue after a restart of the server. The import
 * is in the list of imports when it is done.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST unless an import is prepared; without `dry_run` also if something changed since the last dry run
 */
export const startImportJob = action(
  {
    name: 'startImportJob',
    summary: 'Start an import or its dry run',
    audit: { subject: 'import', details: ({ dry_run }) => ({ dry_run: dry_run === true }) },
    params: v.object({ dry_run: described(v.nullish(bool, false), 'Only reads the archive, and reports.') }),
    result: empty,
    role: 'owner',
  },
  (caller, { dry_run }) =>
    caller.write(async (tx) => {
      const job = await jobIn(tx, ['ready', 'failed'])
      if (job.upload_id !== null || job.import_id !== null) throw badRequest('There is nothing to import')
      if (!dry_run && job.checked === 0) throw badRequest('Run the dry run again first: the options have changed')
      await changeJob(tx, job.id, { ...unchecked, ...(!dry_run && { phase: 'importing', checked: 1 }) })
      wakeAfter(tx)
      return {}
    }),
)

/**
 * DELETE /import_job: discards the prepared import and its archive. Messages that a failed import has brought stay until
 * that import is undone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST without one, and while it imports or undoes
 */
export const discardImportJob = action(
  {
    name: 'discardImportJob',
    summary: 'Discard a prepared import',
    audit: { subject: 'import', details: () => ({ prepared: 'discarded' }) },
    params: v.object({}),
    result: empty,
    role: 'owner',
  },
  (caller) =>
    caller.write(async (tx) => {
      await removeJob(tx, await jobIn(tx, ['uploading', 'checking', 'ready', 'failed']))
      wakeAfter(tx)
      return {}
    }),
)

/**
 * GET /import_job/people: lists the people in the archive, in its order, with what happens to them.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 */
export const listImportPeople = action(
  {
    name: 'listImportPeople',
    summary: 'List the people in the archive of an import',
    params: v.object({
      after: described(v.nullish(integer, -1), 'Only people after this position.'),
      how: described(v.nullish(importPersonShape.entries.how), 'Only people with this decision.'),
    }),
    result: v.strictObject({
      people: v.array(importPersonShape),
      /** The `after` of the next page; null on the last. */
      next: v.nullable(integer),
    }),
    role: 'owner',
  },
  (caller, { after, how }) => peopleAfter(caller, after ?? -1, how ?? undefined),
)

async function peopleAfter({ db }: Caller, after: number, how: ImportPersonHow | undefined) {
  let query = db
    .selectFrom('import_job_person')
    .select(['nth', 'source_id', 'name', 'email', 'is_bot', 'how', 'account'])
    .where('nth', '>', after)
    .orderBy('nth')
    .limit(PAGE + 1)
  if (how) query = query.where('how', '=', how)
  const found = await query.execute()
  const people = found.slice(0, PAGE).map(({ is_bot, ...person }) => ({ ...person, is_bot: is_bot === 1 }))
  return { people, next: found.length > PAGE ? people.at(-1)!.nth : null }
}

type ImportPersonHow = v.InferOutput<typeof importPersonShape>['how']
