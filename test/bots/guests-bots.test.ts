import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

test('bots of a member who becomes a guest become guests, and stop reading public channels', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const made = await hamlet.api.post('/bots', { full_name: 'Builds', short_name: 'builds' })
  const { email } = (await iago.api.get(`/users/${made.user_id}`)).user
  const bot = apiOf(w.chat, { email, key: made.api_key })
  const seen = async () => (await bot.get('/streams')).streams.length
  assert.ok((await seen()) > 0)
  await verifyEvents([iago, cordelia], () => iago.api.patch(`/users/${hamlet.id}`, { role: 600 }))
  assert.equal((await iago.api.get(`/users/${made.user_id}`)).user.role, 600)
  assert.equal(await seen(), 0)
})

test('a bot that is given to a guest becomes a guest', async () => {
  await using w = await world({ people: { polonius: { role: 'guest' } } })
  const { iago, hamlet, polonius } = w.people
  const { user_id } = await hamlet.api.post('/bots', { full_name: 'Builds', short_name: 'builds' })
  assert.equal((await iago.api.patch(`/bots/${user_id}`, { bot_owner_id: polonius.id })).status, 200)
  assert.equal((await iago.api.get(`/users/${user_id}`)).user.role, 600)
})
