import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, world } from '../../src/testing/index.ts'

const creates = (who: Person, name: string, settings: object) =>
  who.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...settings })

test('only administrators can add default streams in any way', async () => {
  await using w = await world({ streams: { verona: { members: ['hamlet'] } } })
  const { iago, hamlet } = w.people
  const refused = 'Must be an organization administrator'
  assert.equal((await creates(hamlet, 'mine', { is_default_stream: true })).msg, refused)
  assert.equal((await creates(iago, 'ours', { is_default_stream: true })).status, 200)
  const verona = `/streams/${await w.streamId('verona')}`
  const own = { direct_members: [hamlet.id], direct_subgroups: [] }
  await iago.api.patch(verona, { can_administer_channel_group: { new: own } })
  assert.equal((await hamlet.api.patch(verona, { description: 'managed' })).status, 200)
  for (const is_default_stream of [true, false]) {
    assert.equal((await hamlet.api.patch(verona, { is_default_stream })).msg, refused)
  }
})

test('a new stream obeys the same rules as a changed one', async () => {
  await using w = await world()
  const { iago, polonius } = w.people
  const group = await iago.api.post('/user_groups/create', { name: 'old', description: '', members: [] })
  await iago.api.post(`/user_groups/${group.group_id}/deactivate`)
  const table: [settings: object, msg: string][] = [
    [{ can_send_message_group: 99999 }, 'Invalid user group ID: 99999'],
    [{ can_send_message_group: group.group_id }, 'User group is deactivated.'],
    [{ message_retention_days: -7 }, "Bad value for 'message_retention_days': -7"],
    [{ message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
    [{ invite_only: true, is_web_public: true }, 'Invalid parameters'],
  ]
  for (const [settings, msg] of table) assert.equal((await creates(iago, 'new', settings)).msg, msg)
  assert.equal((await polonius.api.get('/get_stream_id', { stream: 'new' })).status, 400)
  assert.equal((await creates(iago, 'new', { message_retention_days: 'unlimited' })).status, 200)
})
