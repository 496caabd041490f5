import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { world } from '../../../src/testing/index.ts'
import { noticesTo, subscribe } from './read.ts'

test('notifies people subscribed to a stream by someone else with a direct message', async () => {
  await using w = await world({ streams: { plays: {}, secrets: { private: true } }, people: { bob: { bot: true } } })
  const { iago, hamlet, cordelia, bob } = w
  const principals = [hamlet.id, bob.id, iago.id]
  await subscribe(iago, 'plays', { principals })
  const subscriptions = [{ name: 'plays' }, { name: 'secrets' }, { name: 'general' }]
  await iago.api.post('/users/me/subscriptions', { subscriptions, principals: [cordelia.id] })
  const by = `@_**iago|${iago.id}**`
  assert.deepEqual(await noticesTo(hamlet), [`${by} subscribed you to the channel #**plays**.`])
  assert.deepEqual(await noticesTo(cordelia), [
    `${by} subscribed you to the following channels:\n\n* #**plays**\n* #**secrets**`,
  ])
  assert.deepEqual([await noticesTo(iago), await noticesTo(bob)], [[], []])
})

test('sends no notice for new streams, existing subscriptions and joining on your own', async () => {
  await using w = await world({ streams: { plays: { members: ['iago', 'hamlet'] } } })
  await subscribe(w.iago, 'songs', { principals: [w.hamlet.id] })
  await subscribe(w.iago, 'plays', { principals: [w.hamlet.id] })
  await subscribe(w.cordelia, 'plays')
  await w.iago.api.delete('/users/me/subscriptions', { subscriptions: ['plays'], principals: [w.hamlet.id] })
  assert.deepEqual([await noticesTo(w.hamlet), await noticesTo(w.cordelia)], [[], []])
})

test('the notice links to a private stream', async () => {
  await using w = await world({ streams: { secrets: { private: true } } })
  await subscribe(w.iago, 'secrets', { principals: [w.hamlet.id] })
  const { messages } = await w.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.match(messages[0].content, /subscribed you to the channel <a class="stream" .*>#secrets<\/a>\.<\/p>$/)
})

test('a notice about very many streams names as many as fit', async () => {
  await using w = await world()
  const subscriptions = Array.from({ length: 300 }, (_, i) => ({ name: `a rather long name of a stream ${i}` }))
  await w.iago.api.post('/users/me/subscriptions', { subscriptions })
  await w.iago.api.post('/users/me/subscriptions', { subscriptions, principals: [w.hamlet.id] })
  const [content] = await noticesTo(w.hamlet)
  assert.match(content!.slice(-20), /\n\* and 1\d\d more$/)
  assert.ok(content!.length < 10_000)
})

test('notifies people added to or removed from a group by someone else', async () => {
  await using w = await world({ groups: { royals: ['iago'] }, people: { bob: { bot: true } } })
  const { iago, hamlet, bob } = w
  const path = `/user_groups/${await w.groupId('royals')}/members`
  await iago.api.post(path, { add: [hamlet.id, bob.id] })
  await iago.api.post(path, { delete: [hamlet.id, iago.id] })
  await iago.api.post(path, { add: [iago.id] })
  const by = `@_**iago|${iago.id}**`
  assert.deepEqual(await noticesTo(hamlet), [
    `${by} added you to the group @_*royals*.`,
    `${by} removed you from the group @_*royals*.`,
  ])
  assert.deepEqual([await noticesTo(iago), await noticesTo(bob)], [[], []])
})

test("repeating a request with its key sends no second notice to a group's new members", async () => {
  const people = Array.from({ length: 60 }, (_, i) => `player${i}`)
  await using w = await world({ groups: { troupe: ['iago'] }, people })
  const add = people.map((name) => w.person(name).id)
  const path = `/user_groups/${await w.groupId('troupe')}/members`
  const body = new URLSearchParams({ add: JSON.stringify(add) })
  const { createApp } = await import('../../../src/http/app.ts')
  const app = createApp({ chat: w.chat })
  const headers = { authorization: w.iago.authorization, 'idempotency-key': 'once' }
  for (let i = 0; i < 2; i++) {
    const request = new Request(`http://localhost/api/v1${path}`, { method: 'POST', headers, body })
    assert.equal((await app.fetch(request)).status, 200)
  }
  const { count } = await storeOf(w.chat)
    .db.selectFrom('message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('content', 'like', '%added you to the group%')
    .executeTakeFirstOrThrow()
  assert.equal(count, 60)
})
