import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { outcome, roleId, talk } from './proofs.ts'

const direct = (to: number[], more: object = {}) => ({ type: 'direct', to, content: 'psst', ...more })

test('disabling direct messages spares bots and oneself, and stops scheduled ones', async () => {
  await using w = await world({ people: { bob: { bot: true } } })
  const { iago, hamlet, cordelia } = w.people
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  assert.equal(outcome(await hamlet.api.post('/messages', direct([cordelia.id], { deliver_at }))), 'ok')
  const nobody = await roleId(w, 'role:nobody')
  await iago.api.patch('/realm', { direct_message_permission_group: { new: nobody } })
  const off = 'Direct messages are disabled in this organization.'
  assert.equal(outcome(await hamlet.api.post('/messages', direct([cordelia.id]))), off)
  assert.equal(outcome(await iago.api.post('/messages', direct([cordelia.id]))), off)
  assert.equal(outcome(await hamlet.api.post('/messages', direct([hamlet.id]))), 'ok')
  assert.equal(outcome(await hamlet.api.post('/messages', direct([w.person('bob').id]))), 'ok')
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const { scheduled_messages } = await hamlet.api.post('/register', { fetch_event_types: ['scheduled_messages'] })
  assert.deepEqual(
    scheduled_messages.map((message: { failed: boolean }) => message.failed),
    [true],
  )
})

test('a user who may not start conversations can continue existing ones', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await iago.api.patch('/realm', { direct_message_initiator_group: { new: await roleId(w, 'role:administrators') } })
  const refused = 'You do not have permission to initiate direct message conversations.'
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  const say = (more: object = {}) => hamlet.api.post('/messages', direct([cordelia.id, iago.id], more))
  assert.equal(outcome(await say()), refused)
  assert.equal(outcome(await say({ deliver_at })), refused)
  assert.equal(outcome(await say()), refused)
  await iago.api.post('/messages', direct([cordelia.id, hamlet.id]))
  assert.equal(outcome(await say()), 'ok')
})

test('only permitted users can mention a group in any message, and nobody a system group', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { group_id } = await iago.api.post('/user_groups/create', {
    name: 'royals',
    description: '',
    members: [hamlet.id],
    can_mention_group: await roleId(w, 'role:administrators'),
  })
  const { his, hers } = await talk(w)
  const refused = "You are not allowed to mention user group 'royals'."
  const post = { type: 'stream', to: 'general', topic: 'x', content: '@*royals* rise' }
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  assert.equal(outcome(await hamlet.api.post('/messages', post)), refused)
  assert.equal(outcome(await hamlet.api.post('/messages', { ...post, deliver_at })), refused)
  assert.equal(outcome(await hamlet.api.patch(`/messages/${his}`, { content: post.content })), refused)
  assert.equal(outcome(await hamlet.api.post('/messages', { ...post, content: '@_*royals* sit' })), 'ok')
  const [, received] = await verifyEvents([iago, hamlet], () => iago.api.post('/messages', post))
  assert.deepEqual(received!.find((event) => event.type === 'message')!.flags, ['mentioned'])
  assert.equal(outcome(await iago.api.patch(`/messages/${hers}`, { content: post.content })), 'ok')
  const system = { ...post, content: '@*role:members* rise' }
  assert.equal(
    outcome(await iago.api.post('/messages', system)),
    "You are not allowed to mention user group 'role:members'.",
  )
  assert.equal(outcome(await iago.api.post('/messages', { ...system, content: '@_*role:members* sit' })), 'ok')
  await iago.api.patch(`/user_groups/${group_id}`, { can_mention_group: { new: await roleId(w, 'role:everyone') } })
  assert.equal(outcome(await hamlet.api.post('/messages', post)), 'ok')
})

test('move-only history shows where a message was but not its earlier text', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await hamlet.says('first')
  await hamlet.api.patch(`/messages/${id}`, { content: 'second' })
  await hamlet.api.patch(`/messages/${id}`, { topic: 'moved' })
  await hamlet.api.patch(`/messages/${id}`, { content: 'third', topic: 'moved again' })
  const look = async () => {
    const { message } = await cordelia.api.get(`/messages/${id}`)
    const { message_history } = await cordelia.api.get(`/messages/${id}/history`)
    const detail = JSON.stringify([message.edit_history ?? [], message_history ?? []])
    return [message.edit_history?.length, message_history?.length, /first|second/.test(detail)]
  }
  assert.deepEqual(await look(), [4, 5, true])
  await iago.api.patch('/realm', { message_edit_history_visibility_policy: 'moves' })
  assert.deepEqual(await look(), [2, 3, false])
  await iago.api.patch('/realm', { message_edit_history_visibility_policy: 'none' })
  assert.deepEqual(await look(), [undefined, undefined, false])
})

test('an organization that hid history before the policy existed still hides it', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await storeOf(w.chat).write(({ db }) =>
    db.insertInto('organization_setting').values({ name: 'allow_edit_history', value: 'false' }).execute(),
  )
  // Changing any setting invalidates the cached settings.
  await iago.api.patch('/realm', { org_type: 10 })
  const state = await hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  assert.deepEqual(
    [state.realm_message_edit_history_visibility_policy, state.realm_allow_edit_history],
    ['none', false],
  )
})
