import { type Db, fold, statement } from '../../storage/index.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { visibleTo } from './message-visibility.ts'

const nameById = statement((db, p: { id: number }) => db.selectFrom('topic').select('name').where('id', '=', p.id))

/** The name of a topic that a message refers to. */
export async function topicNameOf(db: Db, topic_id: number): Promise<string> {
  const [topic] = await nameById(db, { id: topic_id })
  if (!topic) throw new Error(`a message refers to topic ${topic_id}, which does not exist`)
  return topic.name
}

/**
 * Returns whether the caller can see a message of this topic. If not, they may know nothing about it, not even its
 * name.
 */
export async function canSeeTopic({ db, user }: Pick<Caller, 'db' | 'user'>, topic_id: number): Promise<boolean> {
  const seen = await db
    .selectFrom('message')
    .select('message.id')
    .where('message.topic_id', '=', topic_id)
    .where((eb) => visibleTo(eb, user))
    .orderBy('message.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}

/** Returns the id of a topic of a stream. Throws the same error for unknown and hidden topics. */
export async function accessTopic(caller: Caller, stream_id: number, name: string): Promise<number> {
  const topic = await caller.db
    .selectFrom('topic')
    .select('id')
    .where('stream_id', '=', stream_id)
    .where('name_key', '=', fold(name.trim()))
    .executeTakeFirst()
  if (!topic || !(await canSeeTopic(caller, topic.id))) throw badRequest(`No such topic '${name}'`)
  return topic.id
}
