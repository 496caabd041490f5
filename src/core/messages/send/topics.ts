import { after, fold, type Soon, statement } from '../../../storage/index.ts'
import { canSeeTopic } from '../../access/topics.ts'
import { defineCacheById } from '../../kernel/cache.ts'
import type { Caller, Tx } from '../../kernel/context.ts'

/** A stored topic. All spellings of a name are one topic, shown in its first spelling. */
export interface Topic {
  id: number
  name: string
  /** Created by the message that is being sent. */
  isNew?: true
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

const oneIn = statement((db, p: { topic_id: number }) =>
  db.selectFrom('message').select('id').where('topic_id', '=', p.topic_id).limit(1),
)

/** Whether there is a message in a topic. */
export async function hasMessages({ db }: Pick<Caller, 'db'>, stream_id: number, name: string): Promise<boolean> {
  const topic_id = await findTopic({ db }, stream_id, fold(name))
  return topic_id !== undefined && (await oneIn(db, { topic_id })).length > 0
}

/** By stream and folded name: looked up for each message. */
const topics = defineCacheById('topic', async (db, place: string) => {
  const [stream_id = ''] = place.split(':', 1)
  const [row] = await topicOf(db, { stream_id: Number(stream_id), name_key: place.slice(stream_id.length + 1) })
  return row
})

/** Everything that renames a topic or removes its row must call it. */
export const invalidateTopic = (tx: Tx, stream_id: number, name_key: string): void =>
  topics.invalidate(tx, `${stream_id}:${name_key}`)

/** Returns the topic with this name in a stream, which is created with its first message. */
export const topicFor = (tx: Tx, stream_id: number, name: string, name_key: string): Soon<Topic> =>
  after(topics.get(tx, `${stream_id}:${name_key}`), (known) => {
    if (!known) return createTopic(tx, stream_id, name, name_key)
    return known.name === name ? known : withSpelling(tx, stream_id, known, name)
  })

async function createTopic(tx: Tx, stream_id: number, name: string, name_key: string): Promise<Topic> {
  const created = await tx.db
    .insertInto('topic')
    .values({ stream_id, name, name_key })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  return { ...created, isNew: true }
}

/**
 * An existing topic keeps its spelling. If the writer can see no message of it, its spelling would reveal that it
 * exists, so it takes the writer's. For clients, names that differ only in case are one topic.
 */
export async function withSpelling(tx: Tx, stream_id: number, topic: Topic, name: string): Promise<Topic> {
  if (topic.name === name || (await canSeeTopic(tx, topic.id))) return topic
  await tx.db.updateTable('topic').set({ name }).where('id', '=', topic.id).execute()
  invalidateTopic(tx, stream_id, fold(name))
  return { ...topic, name }
}
