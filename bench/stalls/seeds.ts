import { periodsOfUser } from '../../src/core/events/log/audience.ts'
import { chunked } from '../../src/core/kernel/base/lists.ts'
import { dropOldTexts } from '../../src/core/messages/edit/old-texts.ts'
import { linkifiersOf } from '../../src/core/organization/linkifiers/stored.ts'
import type { Stream } from '../../src/core/streams/access.ts'
import { insertStream } from '../../src/core/streams/create.ts'
import { invalidateStream } from '../../src/core/streams/stored.ts'
import { invalidatePeople } from '../../src/core/users/people.ts'
import { createApp } from '../../src/http/index.ts'
import { fold } from '../../src/storage/index.ts'
import type { Person, World } from '../../src/testing/world.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Inserts rows directly. Real accounts would add events and welcome messages, which are not measured. */
export async function seedUsers({ people: { iago } }: World, count: number): Promise<number[]> {
  const ids: number[] = []
  for (const part of chunked(numbers(count))) {
    await iago.write(async (tx) => {
      const { db } = tx
      invalidatePeople(tx)
      const rows = part.map((i) => ({
        email: `crowd${i}@example.com`,
        delivery_email: `crowd${i}@example.com`,
        email_key: `crowd${i}@example.com`,
        full_name: `crowd ${i}`,
        name_key: `crowd ${i}`,
        role: 400,
        is_active: 1 as const,
        bot_type: null,
        bot_owner_id: null,
        is_system_bot: 0 as const,
        date_joined: 0,
        timezone: '',
        avatar_source: 'G' as const,
        avatar_version: 1,
        avatar_blob_id: null,
        password_hash: null,
      }))
      for (const { id } of await db.insertInto('user').values(rows).returning('id').execute()) ids.push(id)
    })
  }
  return ids
}

export async function seedStreams({ people: { iago } }: World, count: number, prefix = 'stream'): Promise<Stream[]> {
  const streams: Stream[] = []
  for (const part of chunked(numbers(count))) {
    await iago.write(async (tx) => {
      for (const i of part) streams.push(await insertStream(tx, { name: `${prefix} ${i}` }))
    })
  }
  return streams
}

/** Changes who can find and read these streams, as rows. */
export const changeStreams = (
  { people: { iago } }: World,
  ids: readonly number[],
  rights: { invite_only: 0 | 1; history_public_to_subscribers: 0 | 1 },
): Promise<void> =>
  iago.write(async (tx) => {
    await tx.db.updateTable('stream').set(rights).where('id', 'in', ids).execute()
    for (const id of ids) invalidateStream(tx, id)
  })

/** Subscribes without events. */
export async function seedSubscriptions(
  { people: { iago } }: World,
  user_ids: readonly number[],
  stream_ids: readonly number[],
): Promise<void> {
  const pairs = user_ids.flatMap((user_id) => stream_ids.map((stream_id) => ({ user_id, stream_id })))
  for (const part of chunked(numbers(pairs.length))) {
    await iago.write(async (tx) => {
      const { db } = tx
      const own = part.map((i) => pairs[i]!)
      await db
        .insertInto('subscription')
        .values(
          own.map((pair) => ({
            ...pair,
            is_active: 1 as const,
            color: '#76ce90',
            is_muted: 0 as const,
            pin_to_top: 0 as const,
            desktop_notifications: null,
            audible_notifications: null,
            push_notifications: null,
            email_notifications: null,
            wildcard_mentions_notify: null,
          })),
        )
        .execute()
      const period = { from_message_id: 1, to_message_id: null, from_event_id: 1, to_event_id: null }
      await db
        .insertInto('subscription_period')
        .values(own.map((pair) => ({ ...pair, ...period })))
        .execute()
      for (const { user_id } of own) periodsOfUser.invalidate(tx, user_id)
    })
  }
}

/** Adds this many linkifiers with different prefixes. */
export async function seedLinkifiers({ people: { iago } }: World, count: number): Promise<void> {
  await iago.write(async (tx) => {
    linkifiersOf.invalidate(tx)
    for (const position of numbers(count)) {
      const pattern = `P${position}-(?P<id>[0-9]+)`
      const row = {
        pattern,
        url_template: `https://issues.example.com/${position}/{id}`,
        position,
        alternative_url_templates: '[]',
      }
      await tx.db.insertInto('linkifier').values(row).execute()
    }
  })
}

export async function seedDrafts({ people: { iago } }: World, user_id: number, count: number): Promise<void> {
  for (const part of chunked(numbers(count))) {
    await iago.write(async ({ db }) => {
      const rows = part.map((i) => ({
        user_id,
        type: 'stream' as const,
        recipients: '1',
        topic: `topic ${i}`,
        content: 'Something that is not finished yet.',
        edited_at: 1_700_000_000 + i,
      }))
      await db.insertInto('draft').values(rows).execute()
    })
  }
}

export interface SeededTopic {
  stream: Stream
  topic_id: number
  name: string
  ids: readonly number[]
}

/** A topic full of messages, as rows. */
export async function seedTopic(
  { people: { iago }, chat }: World,
  stream: Stream,
  name: string,
  count: number,
  { content = 'The quick brown fox jumps over the lazy dog.', senders = [iago.id] } = {},
): Promise<SeededTopic> {
  const { id: topic_id } = await iago.write(({ db }) =>
    db
      .insertInto('topic')
      .values({ stream_id: stream.id, name, name_key: fold(name) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const ids: number[] = []
  for (const part of chunked(numbers(count))) {
    await iago.write(async ({ db }) => {
      const rows = part.map((i) => ({
        ...plainMessage,
        sender_id: senders[i % senders.length]!,
        conversation_id: stream.id,
        topic_id,
        content,
        rendered_content: `<p>${content}</p>`,
        sent_at: Math.floor(chat.clock.now() / 1000),
      }))
      for (const { id } of await db.insertInto('message').values(rows).returning('id').execute()) ids.push(id)
    })
  }
  return { stream, topic_id, name, ids }
}

/** Sends a GET request without a socket. The response isn't parsed, since parsing is the client's work. */
export async function getOk(
  { chat }: World,
  person: Person,
  path: string,
  params: Readonly<Record<string, unknown>> = {},
) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const authorization = `Basic ${Buffer.from(`${person.email}:${person.key}`).toString('base64')}`
  const app = createApp({ chat, rateLimit: false })
  const request = new Request(`http://localhost/api/v1${path}?${query}`, { headers: { authorization } })
  return async () => {
    const response = await app.fetch(request)
    for await (const _ of response.body!);
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`)
  }
}

/** Messages in a topic of each of these streams, as rows. */
export async function seedMessages({ people: { iago } }: World, streams: readonly Stream[], each: number) {
  for (const part of chunked(numbers(streams.length))) {
    await iago.write(async ({ db }) => {
      for (const i of part) {
        const { id: stream_id } = streams[i]!
        const { id: topic_id } = await db
          .insertInto('topic')
          .values({ stream_id, name: 'topic', name_key: 'topic' })
          .returning('id')
          .executeTakeFirstOrThrow()
        const rows = numbers(each).map(() => ({
          ...plainMessage,
          sender_id: iago.id,
          conversation_id: stream_id,
          topic_id,
        }))
        await db.insertInto('message').values(rows).execute()
      }
    })
  }
}

const plainMessage = {
  content: 'The quick brown fox.',
  rendered_content: '<p>The quick brown fox.</p>',
  sent_at: 1_700_000_000,
  client: 'bench',
  read_by_sender: 1 as const,
  stream_wildcard: 0 as const,
  topic_wildcard: 0 as const,
  has_link: 0 as const,
  has_image: 0 as const,
  has_attachment: 0 as const,
  is_me_message: 0 as const,
  edited_at: null,
  moved_at: null,
  origin_id: null,
}

/** Topics of a message each, as rows. */
export async function seedTopics({ people: { iago } }: World, stream: Stream, count: number): Promise<void> {
  for (const part of chunked(numbers(count))) {
    await iago.write(async ({ db }) => {
      const topics = part.map((i) => ({ stream_id: stream.id, name: `topic ${i}`, name_key: `topic ${i}` }))
      const made = await db.insertInto('topic').values(topics).returning('id').execute()
      const place = { ...plainMessage, sender_id: iago.id, conversation_id: stream.id }
      await db
        .insertInto('message')
        .values(made.map(({ id: topic_id }) => ({ ...place, topic_id })))
        .execute()
    })
  }
}

/** Marks a stream as read up to a message for these users. */
export async function seedReading({ people: { iago } }: World, ids: readonly number[], stream: Stream, hi: number) {
  for (const part of chunked(ids)) {
    await iago.write(async ({ db }) => {
      const rows = part.map((user_id) => ({ user_id, conversation_id: stream.id, lo: 1, hi }))
      await db.insertInto('read_range').values(rows).execute()
    })
  }
}

export async function seedPresences({ people: { iago }, chat }: World, ids: readonly number[]) {
  const active_at = Math.floor(chat.clock.now() / 1000)
  for (const part of chunked(ids)) {
    await iago.write(async ({ db }) => {
      const rows = part.map((user_id) => ({
        user_id,
        active_at,
        idle_at: active_at,
        client: 'website',
        update_id: user_id,
      }))
      await db.insertInto('presence').values(rows).execute()
    })
  }
}

export const idsOf = (rows: readonly { id: number }[]): number[] => rows.map((row) => row.id)
export const apiOk = async (answer: ReturnType<Person['api']['get']>): Promise<void> => {
  const { result, msg } = await answer
  if (result !== 'success') throw new Error(msg)
}

/** Messages that were edited so often, each time by as much of a text as differs from one to the next. */
export async function seedEdited(
  w: World,
  stream: Stream,
  count: number,
  edits: number,
  text = 'The quick brown fox jumps over the lazy dog. '.repeat(200),
): Promise<SeededTopic> {
  const topic = await seedTopic(w, stream, 'edited', count, { content: text })
  const { iago } = w.people
  for (const message_id of topic.ids) {
    await iago.write(async (tx) => {
      await tx.db.updateTable('message').set({ edited_at: 1 }).where('id', '=', message_id).execute()
      for (let i = 0; i < edits; i++) {
        const content = `${i} ${text}`
        const values = {
          user_id: iago.id,
          edited_at: i,
          prev_content: content,
          prev_rendered_content: `<p>${content}</p>`,
        }
        await tx.db
          .insertInto('message_edit')
          .values({ message_id, ...values })
          .execute()
        await dropOldTexts(tx, message_id)
      }
    })
  }
  return topic
}

export async function seedReactions(w: World, message_ids: readonly number[], count: number): Promise<void> {
  const user_ids = await seedUsers(w, count)
  for (const part of chunked(message_ids)) {
    const row = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' as const }
    await w.people.iago.write(async ({ db }) => {
      for (const user_id of user_ids) {
        await db
          .insertInto('reaction')
          .values(part.map((message_id) => ({ message_id, user_id, ...row })))
          .execute()
      }
    })
  }
}
