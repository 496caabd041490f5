import assert from 'node:assert/strict'
import test from 'node:test'
import type { BotView } from '../../src/index.ts'
import { everybody, scene } from './scene.ts'

const administrators: readonly string[] = ['iago', 'admin']
const people: readonly string[] = ['mod', 'outsider', 'steward', 'invited', 'inside', 'ex', 'back', 'late', 'hamlet']

test("shows a bot's settings and webhook token only to its owner and administrators", async () => {
  const { w } = await scene()
  await using _ = w.chat
  const owners = new Map<number, number>()
  const present = everybody.filter((name) => name !== 'gone')
  for (const name of people) {
    const { status, user_id } = await w.person(name).api.post('/bots', {
      full_name: `Bot of ${name}`,
      short_name: name,
      bot_type: 3,
      payload_url: 'https://example.com/',
    })
    assert.equal(status, 200)
    owners.set(user_id, w.person(name).id)
  }
  for (const name of present) {
    const { id, api } = w.person(name)
    const { realm_bots } = await api.post('/register', { fetch_event_types: ['realm_bot'] })
    const others = realm_bots.filter((bot: BotView) => owners.get(bot.user_id) !== id)
    assert.equal(others.length > 0, administrators.includes(name), `${name} gets the bots of others`)
    assert.equal(realm_bots.length - others.length, people.includes(name) ? 1 : 0, name)
  }
})

test('only the owner and administrators can edit, deactivate or rekey a bot', async () => {
  const { w } = await scene()
  await using _ = w.chat
  for (const name of everybody) {
    const { api } = w.person(name)
    const { user_id } = await w.people.hamlet.api.post('/bots', { full_name: `For ${name}`, short_name: `for-${name}` })
    const may = name === 'hamlet' || administrators.includes(name)
    const answers = [
      await api.get(`/bots/${user_id}/failures`),
      await api.patch(`/bots/${user_id}`, { short_name: `by-${name}` }),
      await api.patch(`/bots/${user_id}`, { full_name: `By ${name}` }),
      await api.post(`/bots/${user_id}/api_key/regenerate`),
      await api.delete(`/bots/${user_id}`),
    ]
    for (const { status } of answers) assert.equal(status, may ? 200 : name === 'gone' ? 401 : 400, name)
  }
})
