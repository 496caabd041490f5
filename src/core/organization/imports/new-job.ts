import { importerOf } from '../../files/import-uploads.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { type ImportJob, jobOf } from './job.ts'
import { storedTopics } from './job-view.ts'

/** Throws if another import is prepared, runs or is undone. */
export async function requireNoJob({ db }: Tx): Promise<void> {
  if (await jobOf(db)) throw badRequest('Another import is in progress. Finish or discard it first.')
}

/** What a job has before its next dry run. */
export const unchecked = { phase: 'checking', step: null, done: 0, total: null, problem: null, checked: 0 } as const

/** Adds the job, which begins after the commit. */
export async function addJob(tx: Tx, values: Pick<ImportJob, 'file'> & Partial<ImportJob>): Promise<number> {
  const { id } = await tx.db
    .insertInto('import_job')
    .values({
      ...{ user_id: tx.user.id, on_server: 0, upload_id: null, blob_id: null, size: 0, import_id: null },
      ...{ topics: storedTopics('one', 0), download_files: 0, report: null, ...unchecked },
      ...(values.upload_id != null && { phase: 'uploading' as const }),
      started_at: seconds(tx.chat.clock),
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  wakeAfter(tx)
  return id
}

export const wakeAfter = (tx: Tx): void => tx.afterCommit(() => importerOf(tx.chat).wake())
