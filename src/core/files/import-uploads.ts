import type { Caller, Context } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'
import { type Upload, uploadGone } from './unfinished.ts'

/** Works on the import that an owner has prepared in the page. */
export interface Importer {
  /** Call it when there may be something to do. */
  wake(): void
  /** Runs an import of its own while no other import runs. Its signal aborts when the chat is closed. */
  alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Resolves when nothing is left to do. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export const importerOf = defineService<Importer>('importer')

export async function isForImport({ db }: Context, { id }: Pick<Upload, 'id'>): Promise<boolean> {
  const job = await db.selectFrom('import_job').select('id').where('upload_id', '=', id).executeTakeFirst()
  return job !== undefined
}

/** Gives a complete upload to the import that waits for it. */
export const finishImportUpload = (caller: Caller, { id }: Pick<Upload, 'id'>): Promise<void> =>
  caller.write(async (tx) => {
    const upload = await tx.db.deleteFrom('upload').where('id', '=', id).returningAll().executeTakeFirst()
    if (!upload) throw uploadGone()
    await tx.db
      .updateTable('import_job')
      .set({ upload_id: null, blob_id: upload.blob_id, phase: 'checking', step: null, done: 0, total: null })
      .where('upload_id', '=', id)
      .execute()
    tx.afterCommit(() => importerOf(tx.chat).wake())
  })
