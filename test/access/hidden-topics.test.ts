import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, world } from '../../src/testing/index.ts'

// Attack tests: the names of topics in which the attacker can see no message.

/** A private stream whose history is protected; cordelia joined after its first topic. */
async function scene(): Promise<World> {
  const w = await world({
    people: { viola: { role: 'administrator' } },
    streams: { den: { private: true, members: ['iago', 'hamlet'] } },
  })
  await w.people.hamlet.says('nobody else knows', { stream: 'den', topic: 'The LAYOFFS' })
  const principals = [w.people.cordelia.id]
  await w.people.iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals })
  return w
}

const mark = async ({ api }: Person, w: World, topic_name: string) =>
  api.post('/mark_topic_as_read', { stream_id: await w.streamId('den'), topic_name })

test('answers identically for hidden and nonexistent topics when marking as read', async () => {
  const w = await scene()
  await using _ = w
  for (const who of [w.people.cordelia, w.person('viola')]) {
    const [hidden, absent] = [await mark(who, w, 'the layoffs'), await mark(who, w, 'the weather')]
    assert.equal(hidden.status, 400)
    assert.equal(hidden.msg.replace('layoffs', ''), absent.msg.replace('weather', ''))
  }
  assert.equal((await mark(w.people.iago, w, 'the layoffs')).status, 200)
})

test("keeps the sender's spelling when sending to a hidden topic", async () => {
  const w = await scene()
  await using _ = w
  const { cordelia, hamlet } = w.people
  const { queue_id } = await cordelia.api.post('/register', { event_types: ['message'] })
  await cordelia.says('is there anything?', { stream: 'den', topic: 'the layoffs' })
  const { events } = await cordelia.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.equal(events[0].message.subject, 'the layoffs')
  const topics = async ({ api }: Person) => {
    const answer = await api.get(`/users/me/${await w.streamId('den')}/topics`)
    return answer.topics.map((topic: { name: string }) => topic.name)
  }
  assert.deepEqual(await topics(cordelia), ['the layoffs'])
  assert.deepEqual(await topics(hamlet), ['the layoffs'], 'one topic for everybody')
  await cordelia.says('again', { stream: 'den', topic: 'The Layoffs' })
  assert.deepEqual(await topics(cordelia), ['the layoffs'], 'what one knows keeps its spelling')
})

test("keeps the mover's spelling when moving a message to a hidden topic", async () => {
  const w = await scene()
  await using _ = w
  const { cordelia } = w.people
  const { id } = await cordelia.says('mine', { stream: 'den', topic: 'x' })
  const { queue_id } = await cordelia.api.post('/register', { event_types: ['update_message'] })
  assert.equal((await cordelia.api.patch(`/messages/${id}`, { topic: 'the layoffs' })).status, 200)
  const { events } = await cordelia.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.equal(events[0].subject, 'the layoffs')
})
