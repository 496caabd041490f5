import assert from 'node:assert/strict'
import test from 'node:test'
import { setRole } from '../../src/core/accounts/change-role.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import type { Answer, World } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'
import { always, everybody, maySee, type Name, type Sample, type StreamName, scene, streams } from './scene.ts'

/** Who gets the events of a message: those who can see it and are in the stream or conversation. */
const mayReceive = (name: Name, sample: Sample): boolean =>
  maySee(name, sample) && (sample.when === undefined || [...always, 'late', 'back'].includes(name))

const live: readonly { name: string; act(w: World, id: number): Promise<Answer> }[] = [
  { name: 'reacted to', act: (w, id) => w.people.hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }) },
  { name: 'edited', act: (w, id) => w.people.hamlet.api.patch(`/messages/${id}`, { content: 'changed' }) },
  {
    name: 'extended',
    act: (w, id) => w.people.hamlet.api.post('/submessage', { message_id: id, msg_type: 'x', content: '{}' }),
  },
]

// biome-ignore lint/suspicious/noExplicitAny: an event's members depend on its type.
const isAbout = (event: any, id: number): boolean =>
  [event.message_id, event.message?.id, ...(event.message_ids ?? []), ...(event.messages ?? [])].includes(id)

const present = everybody.filter((name) => name !== 'gone')

/** Starts event queues for all users. */
async function listeners(w: World) {
  const open = await Promise.all(present.map(async (name) => [name, await listen(w.person(name))] as const))
  return new Map(open)
}

async function assertReceived(
  nextEvents: Awaited<ReturnType<typeof listeners>>,
  sample: Sample,
  what: string,
): Promise<void> {
  for (const [name, listens] of nextEvents) {
    const received = (await listens()).some((event) => isAbout(event, sample.id))
    assert.equal(
      received,
      mayReceive(name, sample),
      `${name} gets the event: ${sample.place} ${sample.when ?? ''} ${what}`,
    )
  }
}

for (const { name: what, act } of live) {
  test(`sends the event of a message that was ${what} to users who see it and have it`, async () => {
    const { w, samples } = await scene()
    await using _ = w.chat
    const nextEvents = await listeners(w)
    for (const sample of samples) {
      assert.equal((await act(w, sample.id)).status, 200)
      await assertReceived(nextEvents, sample, what)
    }
  })
}

test('sends the event of a deleted message to users who could see it and had it', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  await w.people.iago.write((tx) => setRole(tx, w.people.hamlet.id, 200))
  const nextEvents = await listeners(w)
  const admin = w.people.hamlet.api
  for (const sample of samples) {
    assert.equal((await admin.delete(`/messages/${sample.id}`)).status, 200)
    await assertReceived(nextEvents, sample, 'deleted')
  }
})

test('stops sending events for a flagged message the user can no longer see', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet } = w.people
  const ex = w.person('inside')
  const { id } = await hamlet.says('@**inside** hello', { stream: 'shared', topic: 'plot' })
  await ex.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await unsubscribe(ex, { subscriptions: ['shared'] })
  const nextEvents = await listen(ex, ['update_message', 'reaction', 'delete_message', 'submessage'])
  await hamlet.api.patch(`/messages/${id}`, { content: '@**inside** the secret' })
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  assert.deepEqual(await nextEvents(), [])
})

test('delivers a new message to its readers, and to bots listening to all public streams', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const nextEvents = await listeners(w)
  const { hamlet } = w.people
  const bot = w.person('bot')
  const { queue_id } = await bot.api.post('/register', { all_public_streams: true, fetch_event_types: [] })
  for (const place of Object.keys(streams) as StreamName[]) {
    const { id } = await hamlet.says('news', { stream: place, topic: 'plot' })
    await assertReceived(nextEvents, { place, when: 'third', id, word: '' }, 'sent')
    const { events } = await bot.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
    assert.equal(
      events.some((event: object) => isAbout(event, id)),
      place === 'public' || place === 'web',
      place,
    )
  }
})
