import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { readLog } from '../../src/core/events/log/log.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { world } from '../../src/testing/world.ts'

test('reads a logged event from disk as it was published', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  const before = busOf(w.chat).head()
  await iago.says('plain text')
  await iago.says('less < more & "quoted" text')
  await iago.says('two\n\nparagraphs')
  await iago.says('**bold**, @**hamlet**, https://example.com and `code`')
  await iago.says('/me waves')
  await iago.says('hello @**all**')
  await iago.says('/poll Lunch?')
  await iago.says('a link in the topic', { topic: 'see example.com' })
  await iago.says('<p>tags</p>', { people: [hamlet, cordelia] })
  await hamlet.says('in private', { stream: 'secret' })
  await hamlet.says('to myself', { people: [hamlet] })
  await iago.api.post('/messages', {
    ...{ type: 'stream', to: 'general', topic: 't', content: 'an echo', read_by_sender: false },
    ...{ queue_id: 'q', local_id: '1.01' },
  })
  await iago.api.post('/messages/1/reactions', { emoji_name: 'tada' })
  const plain = (entries: ReturnType<ReturnType<typeof busOf>['recent']>) =>
    entries?.map(({ id, type, payload, audience }) => ({ id, type, payload, audience }))
  const stored = await readLog(storeOf(w.chat).db, before, 100)
  assert.ok(stored.filter((entry) => entry.type === 'message').length >= 12)
  assert.deepEqual(plain(stored), plain(busOf(w.chat).recent(before, 100)))
})

test('stores a plain message in less than 500 bytes', async () => {
  await using w = await world()
  await w.people.iago.says('The quick brown fox jumps over the lazy dog, and says so in the stream.')
  const { db } = storeOf(w.chat)
  const rows = await db
    .selectFrom('event')
    .select(['payload', 'audience'])
    .where('type', '=', 'message')
    .orderBy('id')
    .execute()
  const { payload, audience } = rows.at(-1)!
  assert.ok(payload.length + audience.length < 480, `${payload.length + audience.length} bytes`)
})
