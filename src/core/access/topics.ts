import { type Db, statement } from '../../storage/index.ts'

const nameById = statement((db, p: { id: number }) => db.selectFrom('topic').select('name').where('id', '=', p.id))

/** The name of a topic that a message refers to. */
export async function topicNameOf(db: Db, topic_id: number): Promise<string> {
  const [topic] = await nameById(db, { id: topic_id })
  if (!topic) throw new Error(`a message refers to topic ${topic_id}, which does not exist`)
  return topic.name
}
