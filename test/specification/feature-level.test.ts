import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'

/** Members of answers that were added after feature level 489, or removed before it. */
const foreign = [
  ...['prev_rendered_content_version', 'can_subscribe_other_users', 'giphy_rating_options', 'realm_giphy_rating'],
  ...['realm_is_zephyr_mirror_realm', 'push_devices', 'default_push_notifications', 'has_webex_token'],
]

test('Versioning 2 | no answer has fields of another feature level', async () => {
  await using w = await world({ people: { mod: { role: 'moderator' } } })
  const { iago } = w.people
  const { id } = await iago.says('one')
  await iago.api.patch(`/messages/${id}`, { content: 'two' })
  const state = await iago.api.post('/register')
  const answers = [
    state,
    await iago.api.get('/messages', { anchor: id, num_before: 1, num_after: 1 }),
    await iago.api.get(`/messages/${id}/history`),
    await iago.api.get('/streams'),
    await iago.api.get('/users/me/subscriptions'),
  ]
  const text = JSON.stringify(answers)
  assert.ok(text.includes('"prev_rendered_content"'), 'premise: there is a history')
  for (const name of foreign) assert.ok(!text.includes(`"${name}"`), name)
  // For user records the specification says so; for the own user until 363.
  assert.ok(!('is_billing_admin' in state))
})
