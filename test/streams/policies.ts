import type { Person } from '../../src/testing/index.ts'

/** A user's visibility policies by topic. */
export async function policiesOf(who: Person): Promise<Record<string, number>> {
  const { user_topics } = await who.api.post('/register', { fetch_event_types: ['user_topic'] })
  type Topic = { topic_name: string; visibility_policy: number }
  return Object.fromEntries(user_topics.map((topic: Topic) => [topic.topic_name, topic.visibility_policy]))
}
