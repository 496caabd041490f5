import assert from 'node:assert/strict'
import test from 'node:test'
import pg from 'pg'
import { storeOf } from '../../src/core/kernel/store.ts'
import type { Caller } from '../../src/index.ts'
import { WRITE_LOCK } from '../../src/storage/postgres/begin.ts'
import { appendTogether, say } from './appending.ts'
import { type Cluster, cluster, needsServer } from './nodes.ts'

interface Logged {
  event: number
  message: number
  content: string
}

/** Returns the messages of the log after an event, in the order of their events. */
async function logged(c: Cluster, after: number): Promise<Logged[]> {
  const rows = await storeOf(c.w.chat)
    .db.selectFrom('event')
    .select(['id', 'payload'])
    .where('id', '>', after)
    .where('type', '=', 'message')
    .orderBy('id')
    .execute()
  return rows.map(({ id, payload }) => {
    const { message, content } = JSON.parse(payload) as { message: { id: number }; content: string }
    return { event: id, message: message.id, content }
  })
}

const ascends = (ids: readonly number[]) => ids.every((id, i) => i === 0 || id > ids[i - 1]!)

/** Follows the log as a reader does, which never looks back, until `end` is called. */
function follow(c: Cluster, after: number): { end(): Promise<Logged[]> } {
  let isOver = false
  const found: Logged[] = []
  const following = (async () => {
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      found.push(...(await logged(c, found.at(-1)?.event ?? after)))
    }
    return found
  })()
  return {
    end() {
      isOver = true
      return following
    },
  }
}

async function newestEvent(c: Cluster): Promise<number> {
  const { db } = storeOf(c.w.chat)
  return (await db.selectFrom('event').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id
}

test('messages and events have one order while writes use up the IDs of their groups', needsServer, async (t) => {
  await using c = await cluster(3)
  const appending = await appendTogether(t, c)
  const people = await Promise.all([0, 1, 2].map((node) => c.at(node, 'hamlet')))
  const before = appending.count
  const after = await newestEvent(c)
  const reader = follow(c, after)
  /** Each group has one ID for each of its writes, so the first half of it takes all of them. */
  const sendTwice = (who: Caller, i: number) =>
    who.write(
      async (tx) => {
        const first = await say(tx, `${i}, first`)
        if (i % 5 === 4) throw new Error('It fails after its first message.')
        return [first, await say(tx, `${i}, second`)] as const
      },
      { appends: true },
    )
  const results = await Promise.allSettled(Array.from({ length: 90 }, (_, i) => sendTwice(people[i % 3]!, i)))
  assert.ok(appending.count > before)
  const sent = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  assert.equal(sent.length, 2 * 72)
  const read = await reader.end()
  assert.deepEqual(read, await logged(c, after))
  assert.ok(ascends(read.map(({ message }) => message)))
  assert.deepEqual(
    read.map(({ message }) => message),
    sent.toSorted((a, b) => a - b),
  )
  const contents = read.map(({ content }) => content)
  assert.deepEqual(
    contents.toSorted(),
    results.flatMap(({ status }, i) => (status === 'fulfilled' ? [`${i}, first`, `${i}, second`] : [])).toSorted(),
  )
})

/** What a node did before nodes appended: it takes the lock for itself, and counts on from the newest rows. */
const OLDER = `
  begin;
  select pg_advisory_xact_lock(${WRITE_LOCK});
  with newest as (
    select * from message order by id desc limit 1
  ), added as (
    insert into message (sender_id, conversation_id, topic_id, content, rendered_content, client, sent_at,
      read_by_sender, starts_read, stream_wildcard, topic_wildcard, has_link, has_image, has_attachment, is_me_message)
    select sender_id, conversation_id, topic_id, 'older', '<p>older</p>', client, sent_at,
      read_by_sender, starts_read, stream_wildcard, topic_wildcard, has_link, has_image, has_attachment, is_me_message
    from newest returning id
  ), model as (
    select * from event where type = 'message' order by id desc limit 1
  )
  insert into event (id, type, payload, audience, created_at)
  select (select max(id) + 1 from event), model.type,
    jsonb_set(jsonb_set(model.payload::jsonb, '{message,id}', to_jsonb(added.id)), '{content}', '"older"')::text,
    model.audience, model.created_at
  from model, added;
  notify chat_server;
  commit`

test('a node of an older version writes between nodes that append', needsServer, async (t) => {
  await using c = await cluster(2)
  const appending = await appendTogether(t, c)
  const people = await Promise.all([0, 1].map((node) => c.at(node, 'hamlet')))
  const older = new pg.Client({ connectionString: c.url })
  await older.connect()
  try {
    const before = appending.count
    const after = await newestEvent(c)
    const reader = follow(c, after)
    for (let round = 0; round < 10; round++) {
      const sends = Array.from({ length: 20 }, (_, i) => say(people[i % 2]!, `Number ${i} of round ${round}`))
      await older.query(OLDER)
      await Promise.all(sends)
    }
    assert.ok(appending.count > before)
    const read = await reader.end()
    assert.deepEqual(read, await logged(c, after))
    assert.ok(ascends(read.map(({ message }) => message)))
    assert.equal(read.length, 10 * 21)
    assert.equal(read.filter(({ content }) => content === 'older').length, 10)
  } finally {
    await older.end()
  }
})
