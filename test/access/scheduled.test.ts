import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'

// Attack tests: messages that were allowed when they were scheduled and no longer are when due.

const inAMinute = (w: World) => String(w.clock.now() / 1000 + 60)

async function failureOf(w: World, send: (deliver_at: string) => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  await send(inAMinute(w))
  await meanwhile()
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const rows = await storeOf(w.chat).db.selectFrom('scheduled_message').select('failure_message').execute()
  return rows.map((row) => row.failure_message)
}

const direct = (from: Person, to: Person) => (deliver_at: string) =>
  from.api.post('/messages', { type: 'private', to: [to.id], content: 'later', deliver_at })

test("doesn't deliver a scheduled message to a private stream its sender has left", async () => {
  await using w = await world({
    people: { viola: { role: 'administrator' } },
    streams: { den: { private: true, members: ['iago', 'viola'] } },
  })
  const viola = w.person('viola')
  const stream = await w.streamId('den')
  const failure = await failureOf(
    w,
    (deliver_at) =>
      viola.api.post('/messages', { type: 'stream', to: stream, topic: 'x', content: 'later', deliver_at }),
    () => viola.api.delete('/users/me/subscriptions', { subscriptions: ['den'] }),
  )
  assert.deepEqual(failure, [`Stream with ID '${stream}' does not exist`])
})

test("doesn't send a scheduled direct message once direct messages are off", async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const failure = await failureOf(w, direct(hamlet, cordelia), () =>
    iago.write((tx) => putSetting(tx, 'direct_message_permission_group', 'role:nobody')),
  )
  assert.deepEqual(failure, ['Direct messages are disabled in this organization.'])
})

test("doesn't send a scheduled direct message to a user who has been deactivated", async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const failure = await failureOf(w, direct(hamlet, cordelia), () => iago.api.delete(`/users/${cordelia.id}`))
  assert.deepEqual(failure, ["'cordelia@example.com' is deactivated and receives no messages."])
})

test('applies the topic policy of the due date to a scheduled message', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const failure = await failureOf(
    w,
    (deliver_at) =>
      hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: '', content: 'x', deliver_at }),
    () => iago.write((tx) => putSetting(tx, 'topics_policy', 'disable_empty_topic')),
  )
  assert.deepEqual(failure, ['Sending messages to the general chat is not allowed in this channel.'])
})
