import type * as v from 'valibot'
import { TUS_PATH } from '../../files/tus/protocol.ts'
import type { Caller } from '../../kernel/context.ts'
import { servedPath } from '../../kernel/public-url.ts'
import type { importJobShape } from '../../shapes/import.ts'
import { jobOf } from './job.ts'

const HOUR = 3600

/** How the topics of messages outside threads are chosen, as the API and as importers name it. */
export const storedTopics = (topics: 'one' | 'by-day' | 'by-gap', hours: number): string =>
  JSON.stringify(topics === 'by-gap' ? { gap: hours * HOUR } : topics)

const topicsOf = (stored: string) => {
  const topics: 'one' | 'by-day' | { gap: number } = JSON.parse(stored)
  return typeof topics === 'object'
    ? ({ topics: 'by-gap', topic_gap_hours: topics.gap / HOUR } as const)
    : { topics, topic_gap_hours: 4 }
}

/** The job as owners see it; null if there is none. */
export async function jobView({ db, chat, user }: Caller): Promise<v.InferOutput<typeof importJobShape> | null> {
  const job = await jobOf(db)
  if (!job) return null
  const { upload_id, blob_id: _, topics, ...row } = job
  const upload =
    upload_id === null
      ? undefined
      : await db
          .selectFrom('upload')
          .select(['token', 'owner_id', 'received'])
          .where('id', '=', upload_id)
          .executeTakeFirst()
  return {
    ...row,
    on_server: job.on_server === 1,
    download_files: job.download_files === 1,
    checked: job.checked === 1,
    received: upload_id === null ? job.size : (upload?.received ?? 0),
    upload_url: upload?.owner_id === user.id ? servedPath(chat, `${TUS_PATH}/${upload.token}`) : null,
    ...topicsOf(topics),
    report: job.report === null ? null : JSON.parse(job.report),
  }
}
