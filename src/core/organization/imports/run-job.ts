import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readBlob } from '../../../storage/index.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { inSlices } from '../../kernel/slices.ts'
import { roomBeside } from '../exports/room.ts'
import type { PersonDecision } from './decide-people.ts'
import { changeJob, emptyJobFolder, type ImportJob, jobFolder, jobOf, mappingOf, removeJob, serverFile } from './job.ts'
import { importArchive } from './run.ts'
import { undoImport } from './undo.ts'

/** Milliseconds between two writes of the progress. */
const SHOWN_EVERY = 1000
/** More people aren't listed; an import takes them by their addresses. */
const MAX_PEOPLE = 20_000

/** Runs the next step of a job: reads its archive, imports it, or undoes an import. */
export async function runJob(context: Context, job: ImportJob, closed: AbortSignal): Promise<void> {
  const { chat } = context
  const discarded = new AbortController()
  const signal = AbortSignal.any([closed, discarded.signal])
  const show = shownProgress(context, job, discarded)
  try {
    if (job.phase === 'undoing') {
      await undoImport(chat, job.import_id!, { signal, onProgress: (done) => show({ step: 'removed', done }) })
      await context.write((tx) => removeJob(tx, job))
      return
    }
    await runImport(context, job, { signal, show })
  } catch (error) {
    // The next start of the chat resumes it.
    if (closed.aborted || !(await jobOf(context.db))) return
    const isKnown = error instanceof ChatError
    if (!isKnown) chat.options.logger.error({ err: error }, 'the import in progress failed')
    const problem = isKnown ? error.message : 'The server failed to do this. Its log has the reason.'
    await context.write((tx) => changeJob(tx, job.id, { phase: 'failed', problem }))
  }
}

type Show = ReturnType<typeof shownProgress>

async function runImport(
  context: Context,
  job: ImportJob,
  { signal, show }: { signal: AbortSignal; show: Show },
): Promise<void> {
  const { chat } = context
  const isCheck = job.phase === 'checking'
  const people: PersonDecision[] = []
  const { report } = await importArchive(chat, {
    file: await archiveOf(context, job, signal),
    name: job.file,
    topics: JSON.parse(job.topics),
    mapping: await mappingOf(context, job),
    into: true,
    dryRun: isCheck,
    downloadFiles: job.download_files === 1,
    downloads: join(jobFolder(chat), 'downloads'),
    signal,
    onProgress: show,
    ...(isCheck && { onPerson: (person) => void (people.length < MAX_PEOPLE && people.push(person)) }),
  })
  if (!isCheck) {
    await context.write((tx) => removeJob(tx, job))
    await emptyJobFolder(chat)
    return
  }
  await keepPeople(context, job, people)
  await context.write((tx) =>
    changeJob(tx, job.id, { phase: 'ready', checked: 1, report: JSON.stringify(report), problem: null }),
  )
}

/** Writes the progress down now and then, for owners who look at the job. Aborts if an owner has discarded it. */
function shownProgress(context: Context, { id }: ImportJob, discarded: AbortController) {
  let shownAt = Number.NEGATIVE_INFINITY
  return ({ step, done, total }: { step: string; done: number; total?: number }) => {
    if (performance.now() - shownAt < SHOWN_EVERY) return
    shownAt = performance.now()
    const values = { step, done, total: total ?? null }
    const changed = ({ db }: SystemTx) =>
      db.updateTable('import_job').set(values).where('id', '=', id).returning('id').executeTakeFirst()
    context
      .write(changed, { relaxed: true })
      .then((row) => row || discarded.abort(new Error('the import was discarded')))
      .catch(() => {})
  }
}

/** Replaces the list of people. What an owner has chosen for them stays. */
async function keepPeople(context: Context, job: ImportJob, people: readonly PersonDecision[]): Promise<void> {
  const chosen = await mappingOf(context, job)
  await context.write(({ db }) => db.deleteFrom('import_job_person').where('job_id', '=', job.id).execute())
  const rows = people.map(({ source_id, name, email, isBot, how }, nth) => ({
    ...{ job_id: job.id, nth, source_id, name, email, how },
    is_bot: isBot ? (1 as const) : (0 as const),
    account: chosen.get(source_id) ?? null,
  }))
  await inSlices(
    context,
    rows,
    50,
    async ({ db }, slice) => {
      await db
        .insertInto('import_job_person')
        .values([...slice])
        .execute()
    },
    { most: 500 },
  )
}

/** Returns the path of the archive: a file of the server, or the uploaded one, which is copied out of the database. */
async function archiveOf({ chat, db }: Context, job: ImportJob, signal: AbortSignal): Promise<string> {
  if (job.on_server === 1) {
    const path = await serverFile(chat, job.file)
    if (path === undefined) throw badRequest(`The server's folder for imports has no file named ${job.file}`)
    return path
  }
  const folder = jobFolder(chat)
  const own = join(folder, String(job.id))
  // The name says nothing, so that the same archive is recognized again.
  const path = join(own, `archive${/\.[a-z0-9]{1,10}$/i.exec(job.file)?.[0] ?? ''}`)
  if ((await stat(path).catch(() => undefined))?.size === job.size) return path
  await rm(folder, { recursive: true, force: true })
  await mkdir(own, { mode: 0o700, recursive: true })
  const room = roomBeside(chat, path)
  const file = await open(`${path}.part`, 'wx', 0o600)
  try {
    for await (const piece of readBlob(db, job.blob_id!)) {
      signal.throwIfAborted()
      room(piece.length)
      await file.write(piece)
    }
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  return path
}
