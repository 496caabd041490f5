import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemBots } from '../../src/core/kernel/system-bots.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { actAs, listReminders } from '../../src/index.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'
import { listen } from './listen.ts'

const MINUTE = 60
const now = (w: World) => Math.floor(w.clock.now() / 1000)
const later = async (w: World, seconds: number) => {
  w.clock.advance(seconds * 1000)
  schedulerOf(w.chat).wake()
  await schedulerOf(w.chat).settled()
}
const remind = (w: World, who: Person, message_id: number, more: object = {}) =>
  who.api.post('/reminders', { message_id, scheduled_delivery_timestamp: now(w) + MINUTE, ...more })
/** Texts of the direct messages that the server has sent somebody, oldest first. */
const notices = async (who: Person) => {
  const narrow = [{ operator: 'dm', operand: [systemBots.notification.email] }]
  const asked = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false }
  return (await who.api.get('/messages', asked)).messages.map(({ content }: { content: string }) => content)
}

test('reminds somebody of a message at the chosen time, with a note', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { id } = await cordelia.says('to ```be```', { stream: 'general', topic: 'plot' })
  const received = await listen(hamlet, ['reminders'])
  const stream_id = await w.streamId('general')
  const { reminder_id } = await remind(w, hamlet, id, { note: ' answer\ntoday ' })
  const { reminders } = await hamlet.api.get('/reminders')
  const content = `You requested a reminder for the following message. Note:\n> answer\n> today\n\n@_**cordelia|${cordelia.id}** [said](/#narrow/channel/${stream_id}-general/topic/plot/near/${id}) in #**general>plot@${id}**:\n\`\`\`\` quote\nto \`\`\`be\`\`\`\n\`\`\`\``
  const [shown] = reminders
  const { rendered_content, ...plain } = shown
  assert.deepEqual(plain, {
    reminder_id,
    type: 'private',
    to: [hamlet.id],
    content,
    scheduled_delivery_timestamp: now(w) + MINUTE,
    failed: false,
    reminder_target_message_id: id,
  })
  assert.match(rendered_content, /<a href="\/?#narrow\/channel\/[^"]+">said<\/a> in <a class="message-link"/)
  const registered = await hamlet.api.post('/register', { fetch_event_types: ['reminders', 'realm'] })
  assert.deepEqual(registered.reminders, reminders)
  assert.deepEqual((await cordelia.api.get('/reminders')).reminders, [])
  assert.deepEqual((await hamlet.api.get('/scheduled_messages')).scheduled_messages, [])
  await cordelia.api.patch(`/messages/${id}`, { content: 'changed' })
  assert.deepEqual(await notices(hamlet), [])
  await later(w, MINUTE)
  assert.deepEqual(await notices(hamlet), [content])
  await later(w, MINUTE)
  assert.equal((await notices(hamlet)).length, 1)
  assert.deepEqual((await hamlet.api.get('/reminders')).reminders, [])
  assert.deepEqual(await received(), [
    { type: 'reminders', op: 'add', reminders },
    { type: 'reminders', op: 'remove', reminder_id },
  ])
})

test('names the recipients of a direct message, and what a widget is', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const text = async (id: number) => {
    await remind(w, hamlet, id)
    return (await hamlet.api.get('/reminders')).reminders.at(-1).content
  }
  const direct = await cordelia.says('psst', { people: [hamlet] })
  assert.equal(
    await text(direct.id),
    `You requested a reminder for the following direct message.\n\n@_**cordelia|${cordelia.id}** [said](/#narrow/dm/${cordelia.id}/near/${direct.id}) to @_**hamlet|${hamlet.id}**:\n\`\`\`\` quote\npsst\n\`\`\`\``,
  )
  const poll = await cordelia.says('/poll Who?\nme')
  assert.match(
    await text(poll.id),
    /^You .*\n\n@_\*\*cordelia\|\d+\*\* sent \[a poll\]\(.*\) in #\*\*general>.*\*\*\.$/,
  )
})

test('keeps a reminder of a long message within the limit of a message', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('ä'.repeat(4999))
  await remind(w, hamlet, id, { note: 'n'.repeat(1000) })
  const [{ content }] = (await hamlet.api.get('/reminders')).reminders
  assert.ok(Buffer.byteLength(content) <= 10_000)
  assert.match(content, /ä\n\[message truncated\]\n````$/)
})

test('sends nothing of a message that is gone or no longer readable', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['hamlet', 'cordelia'] } } })
  const { iago, hamlet, cordelia } = w.people
  const gone = await cordelia.says('deleted words')
  const hidden = await cordelia.says('hidden words', { stream: 'secret', topic: 'x' })
  for (const { id } of [gone, hidden]) await remind(w, hamlet, id, { note: 'why' })
  await iago.api.delete(`/messages/${gone.id}`)
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
  await later(w, MINUTE)
  const text = 'You requested a reminder for a message that you can no longer read. Note:\n> why'
  assert.deepEqual((await notices(hamlet)).slice(-2), [text, text])
})

test('keeps the reminder of a deactivated account as failed', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await remind(w, hamlet, (await hamlet.says('x')).id)
  await iago.api.delete(`/users/${hamlet.id}`)
  await later(w, MINUTE)
  await iago.api.post(`/users/${hamlet.id}/reactivate`)
  const { reminders } = await listReminders(await actAs(w.chat, { user_id: hamlet.id }))
  assert.deepEqual(
    reminders.map(({ failed }) => failed),
    [true],
  )
})

test('rejects past times, long notes, hidden messages and other people', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { id } = await cordelia.says('psst', { people: [cordelia] })
  const own = await hamlet.says('mine')
  const { reminder_id } = await remind(w, hamlet, own.id)
  for (const [answer, msg] of [
    [await remind(w, hamlet, id), 'Invalid message(s)'],
    [await remind(w, hamlet, 999_999), 'Invalid message(s)'],
    [
      await remind(w, hamlet, own.id, { scheduled_delivery_timestamp: now(w) }),
      'Scheduled delivery time must be in the future.',
    ],
    [await remind(w, hamlet, own.id, { note: 'x'.repeat(1001) }), 'Maximum reminder note length: 1000 characters'],
  ] as const) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', msg])
  }
  const theirs = await cordelia.api.delete(`/reminders/${reminder_id}`)
  assert.deepEqual([theirs.status, theirs.code, theirs.msg], [404, 'BAD_REQUEST', 'Reminder does not exist'])
  assert.equal((await hamlet.api.delete(`/reminders/${reminder_id}`)).status, 200)
  assert.equal((await hamlet.api.delete(`/reminders/${reminder_id}`)).status, 404)
})

test('limits how many reminders somebody has', async () => {
  await using w = await world({ chat: { limits: { remindersPerUser: 1 } } })
  const { hamlet } = w.people
  const { id } = await hamlet.says('x')
  assert.equal((await remind(w, hamlet, id)).status, 200)
  assert.equal((await remind(w, hamlet, id)).msg, 'Too many reminders; at most 1 per user')
})
