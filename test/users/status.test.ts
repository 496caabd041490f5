import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('sets a status partially and clears it', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const status = async () => (await iago.api.get(`/users/${hamlet.id}/status`)).status
  await verifyEvents([iago, hamlet], async () => {
    assert.equal((await hamlet.api.post('/users/me/status', { status_text: ' brooding ' })).result, 'success')
    await hamlet.api.post('/users/me/status', { emoji_name: 'tada' })
    assert.deepEqual(await status(), {
      status_text: 'brooding',
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    })
    await hamlet.api.post('/users/me/status', { status_text: '', emoji_name: '' })
    assert.deepEqual(await status(), {})
  })
})

test('rejects an invalid status', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const cases: [object, string][] = [
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f389' }, 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'nosuchthing' }, "Emoji 'nosuchthing' does not exist"],
  ]
  for (const [params, msg] of cases) {
    const answer = await api.post('/users/me/status', params as Record<string, unknown>)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.equal((await api.get('/users/999/status')).msg, 'No such user')
})
