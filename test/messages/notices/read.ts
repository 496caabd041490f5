import type { Person, World } from '../../../src/testing/index.ts'

/** What a user reads in a topic of a stream, oldest first, as it was written. */
export async function topicOf(reader: Person, stream: string, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: stream },
    { operator: 'topic', operand: topic },
  ]
  return read(reader, narrow)
}

/** The direct messages between a user and the server's own bot, without the welcome. */
export async function noticesTo(reader: Person): Promise<string[]> {
  const { cross_realm_bots } = await reader.api.post('/register', { fetch_event_types: ['realm_user'] })
  const bot = cross_realm_bots.find((user: { full_name: string }) => user.full_name === 'Notification Bot')
  const all = await read(reader, [{ operator: 'dm', operand: [bot.user_id] }])
  return all.filter((content) => !content.startsWith('Hello, and welcome'))
}

async function read(reader: Person, narrow: object[]): Promise<string[]> {
  const { messages } = await reader.api.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow,
  })
  return messages.map((message: { content: string }) => message.content)
}

export const subscribe = (who: Person, name: string, more: Readonly<Record<string, unknown>> = {}) =>
  who.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more })

export const pathOf = async (w: World, stream: string) => `/streams/${await w.streamId(stream)}`
