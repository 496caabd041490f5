import { statement } from '../../../storage/index.ts'
import type { Caller, Tx } from '../../context.ts'

/** A topic as it is stored: all spellings of a name are one topic, which shows the first. */
export interface Topic {
  id: number
  name: string
}

const topicOf = statement((db, p: { stream_id: number; name_key: string }) =>
  db.selectFrom('topic').select(['id', 'name']).where('stream_id', '=', p.stream_id).where('name_key', '=', p.name_key),
)

export async function findTopicRow(
  { db }: Pick<Caller, 'db'>,
  stream_id: number,
  name_key: string,
): Promise<Topic | undefined> {
  return (await topicOf(db, { stream_id, name_key }))[0]
}

export const findTopic = async (
  caller: Pick<Caller, 'db'>,
  stream_id: number,
  name_key: string,
): Promise<number | undefined> => (await findTopicRow(caller, stream_id, name_key))?.id

/** The topic of this name in a stream, made at its first message. */
export async function topicFor(tx: Tx, stream_id: number, name: string, name_key: string): Promise<Topic> {
  const known = await findTopicRow(tx, stream_id, name_key)
  if (known) return known
  return tx.db
    .insertInto('topic')
    .values({ stream_id, name, name_key })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
}
