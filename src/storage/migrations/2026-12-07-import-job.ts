import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, partOf, ref, text, time } from '../tables/table-list.ts'

/** The import that an owner prepares in the page, and the people in it. */
export const importJob: Migration = {
  name: '2026-12-07-import-job',
  up: (db, dialect) =>
    createTables(db, dialect, {
      import_job: {
        columns: {
          id,
          user_id: ref('user'),
          phase: text,
          file: text,
          on_server: flag,
          // Not a reference: an upload that expires ends the job.
          upload_id: maybe(int),
          blob_id: maybe(ref('blob')),
          size: int,
          topics: text,
          download_files: flag,
          checked: flag,
          report: maybe(text),
          problem: maybe(text),
          import_id: maybe(ref('import')),
          step: maybe(text),
          done: int,
          total: maybe(int),
          started_at: time,
        },
        indexes: { import_job_upload: { on: ['upload_id'] } },
      },
      import_job_person: {
        columns: {
          job_id: partOf('import_job'),
          nth: int,
          source_id: text,
          name: text,
          email: maybe(text),
          is_bot: flag,
          how: text,
          account: maybe(text),
        },
        primaryKey: ['job_id', 'nth'],
        indexes: { import_job_person_source: { on: ['job_id', 'source_id'], unique: true } },
      },
    }),
}
