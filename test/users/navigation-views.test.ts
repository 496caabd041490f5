import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../src/testing/world.ts'
import { listen } from '../messages/listen.ts'

test('stores, changes and removes views of the sidebar, with an event each', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const received = await listen(hamlet, ['navigation_view'])
  const alerted = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' }
  await hamlet.api.post('/navigation_views', { fragment: 'inbox', is_pinned: false })
  await hamlet.api.post('/navigation_views', { ...alerted, fragment: ' narrow/is/alerted ' })
  const inbox = { fragment: 'inbox', is_pinned: false, name: null }
  const path = `/navigation_views/${encodeURIComponent(alerted.fragment)}`
  const listed = async () => (await hamlet.api.get('/navigation_views')).navigation_views
  assert.deepEqual(await listed(), [inbox, alerted])
  for (const name of ['navigation_views', 'navigation_view']) {
    const state = await hamlet.api.post('/register', { fetch_event_types: [name] })
    assert.deepEqual(state.navigation_views, [inbox, alerted], name)
  }
  assert.equal((await hamlet.api.patch(path, { name: 'Words', is_pinned: true })).status, 200)
  assert.equal((await hamlet.api.patch(path, {})).status, 200)
  assert.deepEqual(await listed(), [inbox, { ...alerted, name: 'Words' }])
  assert.deepEqual((await iago.api.get('/navigation_views')).navigation_views, [])
  assert.equal((await iago.api.delete(path)).status, 404)
  assert.equal((await hamlet.api.delete('/navigation_views/narrow/is/alerted')).status, 200)
  assert.deepEqual(await listed(), [inbox])
  assert.deepEqual(await received(), [
    { type: 'navigation_view', op: 'add', navigation_view: inbox },
    { type: 'navigation_view', op: 'add', navigation_view: alerted },
    { type: 'navigation_view', op: 'update', fragment: alerted.fragment, data: { name: 'Words' } },
    { type: 'navigation_view', op: 'remove', fragment: alerted.fragment },
  ])
})

test('rejects names of built-in views, missing names and what exists', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const add = (fragment: string, name?: string) => api.post('/navigation_views', { fragment, is_pinned: true, name })
  await add('drafts')
  await add('narrow/x', 'X')
  for (const [answer, status, msg] of [
    [await add(' '), 400, 'fragment cannot be blank'],
    [await add('inbox', 'Mine'), 400, 'Built-in views cannot have a custom name.'],
    [await add('narrow/y'), 400, 'Custom views must have a valid name.'],
    [await add('narrow/y', ' '), 400, 'Custom views must have a valid name.'],
    [await add('drafts'), 400, 'Navigation view already exists.'],
    [await add('narrow/y', 'X'), 400, 'Navigation view already exists.'],
    [await api.patch('/navigation_views/drafts', { name: 'Mine' }), 400, 'Built-in views cannot have a custom name.'],
    [await api.patch('/navigation_views/narrow%2Fx', { name: '' }), 400, 'Custom views must have a valid name.'],
    [await api.patch('/navigation_views/feed', {}), 404, 'Navigation view does not exist.'],
  ] as const) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [status, 'BAD_REQUEST', msg])
  }
})

test('limits how many views somebody stores', async () => {
  await using w = await world({ chat: { limits: { navigationViewsPerUser: 1 } } })
  const { api } = w.people.hamlet
  assert.equal((await api.post('/navigation_views', { fragment: 'inbox', is_pinned: true })).status, 200)
  const { msg } = await api.post('/navigation_views', { fragment: 'feed', is_pinned: true })
  assert.equal(msg, 'Too many navigation views; at most 1 per user')
})
