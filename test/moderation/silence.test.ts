import assert from 'node:assert/strict'
import test from 'node:test'
import { systemBot } from '../../src/core/users/system-bot.ts'
import { uploadFile } from '../../src/index.ts'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { listen } from '../messages/listen.ts'

const HOUR = 3_600_000

/** cordelia is a moderator. */
async function scene() {
  const w = await world({ people: ['ann', 'ben'] })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  const silence = (who: Person, by: Person = w.cordelia, more: object = {}) =>
    by.api.post(`/users/${who.id}/moderate`, { actions: ['silence'], minutes: 60, reason: 'Too loud', ...more })
  return { w, silence }
}

const send = (who: Person, content = 'hello') =>
  who.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content })

test('keeps a silenced user from writing, editing, reacting, voting and uploading until the time', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  const { ann, ben } = w
  const mine = await ann.says('mine')
  const poll = (await send(ben, '/poll Lunch?\nyes')).id
  const until = Math.floor(w.clock.now() / 1000) + 3600
  const { scheduled_message_id } = await ann.api.post('/scheduled_messages', {
    ...{ type: 'direct', to: [ben.id], content: 'x', scheduled_delivery_timestamp: until + 7200 },
  })
  await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }] })
  const den = `/streams/${await w.streamId('den')}`
  await ann.api.post('/users/me/status', { status_text: 'here' })
  const { id: field } = await w.iago.api.post('/realm/profile_fields', { name: 'Biography', field_type: 2 })
  const bot = `/bots/${(await ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })).user_id}`
  const made = await ann.api.post('/user_groups/create', { name: 'cooks', description: '', members: [] })
  const group = `/user_groups/${made.group_id}`
  assert.equal((await silence(ann)).msg, '')
  const scheduled_delivery_timestamp = until + 3600
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  for (const answer of [
    await send(ann),
    await ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'x' }),
    await ann.api.patch(`/messages/${mine.id}`, { content: 'more' }),
    await ann.api.patch(`/messages/${mine.id}`, { topic: 'new' }),
    await ann.api.post(`/messages/${poll}/reactions`, { emoji_name: 'tada' }),
    await ann.api.post('/submessage', { message_id: poll, msg_type: 'widget', content: vote }),
    await ann.api.post('/scheduled_messages', {
      ...{ type: 'direct', to: [ben.id], content: 'x', scheduled_delivery_timestamp },
    }),
    await ann.api.patch(`/scheduled_messages/${scheduled_message_id}`, { content: 'rude' }),
    await ann.api.post('/users/me/status', { status_text: 'rude' }),
    await ann.api.post('/users/me/status', { emoji_name: 'tada' }),
    await ann.api.patch(den, { new_name: 'rude' }),
    await ann.api.patch(den, { description: 'rude' }),
    await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'rude' }] }),
    await ann.api.post('/channels/create', { name: 'rude', subscribers: [] }),
    await ann.api.patch('/settings', { full_name: 'Rude Ann' }),
    await ann.api.patch('/users/me/profile_data', { data: [{ id: field, value: 'rude' }] }),
    await ann.api.post('/user_groups/create', { name: 'rude', description: '', members: [] }),
    await ann.api.patch(group, { name: 'rude' }),
    await ann.api.patch(group, { description: 'rude' }),
    await ann.api.post('/bots', { full_name: 'Rude', short_name: 'rude' }),
    await ann.api.patch(bot, { full_name: 'Rude' }),
    await ann.api.upload('/user_uploads', new Uint8Array([1])),
    await ann.api.upload('/users/me/avatar', onePixelPng()),
    await ann.api.upload('/realm/emoji/rude', onePixelPng()),
  ]) {
    assert.deepEqual([answer.status, answer.code, answer.until], [403, 'SILENCED', until], answer.msg)
    assert.match(
      answer.msg,
      /^A moderator has silenced you until \w+ \d+, \d{4} at \d\d:\d\d UTC\..* Reason: Too loud$/,
    )
  }
  const chunks = (async function* () {
    yield new Uint8Array([1])
  })()
  await assert.rejects(uploadFile(ann, { filename: { name: 'x', content_type: '', chunks } }), { code: 'SILENCED' })
  assert.equal((await ann.api.post('/users/me/status', { status_text: '' })).result, 'success')
  assert.equal((await ann.api.patch(den, { slow_mode_seconds: 5 })).result, 'success')
  assert.equal((await ann.api.patch('/settings', { twenty_four_hour_time: true })).result, 'success')
  assert.equal((await ann.api.patch('/users/me/profile_data', { data: [{ id: field, value: '' }] })).result, 'success')
  // Reading is still possible.
  assert.equal((await ann.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).result, 'success')
  w.clock.advance(HOUR - 1000)
  assert.equal((await send(ann)).code, 'SILENCED')
  w.clock.advance(1000)
  assert.equal((await send(ann)).result, 'success')
  assert.equal((await ann.api.post(`/messages/${poll}/reactions`, { emoji_name: 'tada' })).result, 'success')
})

test("silences the user's bots, and a bot alone", async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  const made = await w.ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await w.ann.api.get(`/users/${made.user_id}`)).user
  const bot = apiOf(w.chat, { email, key: made.api_key })
  const says = () => bot.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' })
  assert.equal((await says()).result, 'success')
  await silence(w.ann)
  assert.equal((await says()).code, 'SILENCED')
  await w.cordelia.api.post(`/users/${w.ann.id}/moderate`, { actions: ['end_silence'], reason: 'Sorry' })
  assert.equal((await says()).result, 'success')
  await w.cordelia.api.post(`/users/${made.user_id}/moderate`, { actions: ['silence'], minutes: 1, reason: 'x' })
  assert.equal((await says()).code, 'SILENCED')
  assert.equal((await send(w.ann)).result, 'success')
})

test('tells the user and the moderators, and nobody else', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  const received = await Promise.all([w.ann, w.cordelia, w.iago, w.ben].map((who) => listen(who, ['restriction'])))
  const until = Math.floor(w.clock.now() / 1000) + 3600
  await silence(w.ann)
  await w.iago.api.post(`/users/${w.ann.id}/moderate`, { actions: ['end_silence'], reason: 'Enough' })
  const seen = []
  for (const events of received)
    seen.push((await events()).map(({ silenced_until }: { silenced_until: number }) => silenced_until))
  assert.deepEqual(seen, [[until, null], [until, null], [until, null], []])
  const { messages } = await w.ann.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 2, num_after: 0, narrow: [['is', 'dm']], apply_markdown: false },
  })
  const bot = (await systemBot.get(w.ann)).id
  assert.deepEqual(
    messages
      .slice(-2)
      .map(({ sender_id, content }: { sender_id: number; content: string }) => [
        sender_id,
        content.replace(/<time:[^>]+>/, 'TIME'),
      ]),
    [
      'A moderator has silenced you until TIME. Until then you can read, but not write, react or upload.\n\n```` quote\nToo loud\n````',
      'A moderator has lifted your silence. You can write again.\n\n```` quote\nEnough\n````',
    ].map((text) => [bot, text]),
  )
  const status = () => w.cordelia.api.get(`/users/${w.ann.id}/moderation`)
  assert.equal((await status()).silenced, null)
  await silence(w.ann)
  assert.deepEqual((await status()).silenced, { until, reason: 'Too loud' })
  w.clock.advance(HOUR)
  assert.equal((await status()).silenced, null)
})

test('fails scheduled messages that come due while their writer is silenced', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  const at = Math.floor(w.clock.now() / 1000) + 60
  const later = { type: 'stream', to: await w.streamId('general'), topic: 'x', content: 'later' }
  await w.ann.api.post('/scheduled_messages', { ...later, scheduled_delivery_timestamp: at })
  await silence(w.ann)
  w.clock.advance(61_000)
  const first = async () => (await w.ann.api.get('/scheduled_messages')).scheduled_messages[0]
  await eventually('it fails', async () => (await first()).failed === true)
})

test('keeps a silence across a restart, a change of the role and a reactivation', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  await silence(w.ann)
  await w.restore(await w.snapshot())
  assert.equal((await send(w.ann)).code, 'SILENCED')
  await w.iago.api.patch(`/users/${w.ann.id}`, { role: 300 })
  assert.equal((await send(w.ann)).code, 'SILENCED')
  await w.iago.api.patch(`/users/${w.ann.id}`, { role: 400 })
  await w.iago.api.delete(`/users/${w.ann.id}`)
  await w.iago.api.post(`/users/${w.ann.id}/reactivate`)
  await assert.rejects(w.ann.says('back'), { code: 'SILENCED' })
})

test('rejects callers without the right, and contradictory requests', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  const { ann, ben, cordelia, iago, hamlet, polonius } = w
  await iago.api.patch(`/users/${hamlet.id}`, { role: 200 })
  const moderator = 'Must be an organization moderator'
  const administrator = 'Must be an organization administrator'
  const own = "You can't moderate your own account."
  for (const [by, who, msg] of [
    [ann, ben, moderator],
    [polonius, ben, moderator],
    [ann, ann, moderator],
    [cordelia, hamlet, administrator],
    [cordelia, iago, 'Must be an organization owner'],
    [hamlet, iago, 'Must be an organization owner'],
    [cordelia, cordelia, own],
    [iago, iago, own],
  ] as const) {
    assert.equal((await silence(who, by)).msg, msg, `${by.email} ${who.email}`)
    assert.equal((await by.api.get(`/users/${who.id}/moderation`)).msg, msg)
  }
  const bot = await hamlet.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  for (const [by, who] of [
    [cordelia, polonius],
    [hamlet, cordelia],
    [iago, hamlet],
  ] as const)
    assert.equal((await silence(who, by)).result, 'success')
  await iago.api.post(`/users/${cordelia.id}/moderate`, { actions: ['end_silence'], reason: 'x' })
  assert.equal(
    (await cordelia.api.post(`/users/${bot.user_id}/moderate`, { actions: ['warn'], reason: 'x' })).code,
    'UNAUTHORIZED_PRINCIPAL',
  )
  const server = (await systemBot.get(ann)).id
  for (const [user_id, params, msg] of [
    [ann.id, { actions: ['silence'], reason: 'x' }, "Missing 'minutes' argument"],
    [ann.id, { actions: ['silence'], minutes: 0, reason: 'x' }, 'Invalid minutes'],
    [ann.id, { actions: ['silence'], minutes: 527_041, reason: 'x' }, 'Invalid minutes'],
    [ann.id, { actions: ['silence'], minutes: 1.5, reason: 'x' }, undefined],
    [ann.id, { actions: ['silence', 'end_silence'], minutes: 1, reason: 'x' }, undefined],
    [ann.id, { actions: [], reason: 'x' }, 'Choose at least one action'],
    [ann.id, { actions: ['ban'], reason: 'x' }, undefined],
    [ann.id, { actions: ['warn'], reason: ' ' }, 'reason cannot be blank'],
    [ann.id, { actions: ['warn'], reason: 'x'.repeat(1001) }, 'reason is too long (limit: 1000 characters)'],
    [ann.id, { actions: ['warn'] }, undefined],
    [ann.id, { actions: ['clear_profile'], reason: 'x' }, 'Deactivate the account to clear its profile.'],
    [999_999, { actions: ['warn'], reason: 'x' }, 'No such user'],
    [server, { actions: ['deactivate'], reason: 'x' }, 'No such user'],
  ] as const) {
    const answer = await cordelia.api.post(`/users/${user_id}/moderate`, params)
    assert.equal(answer.status, 400, JSON.stringify(params))
    if (msg) assert.equal(answer.msg, msg)
  }
  assert.equal((await send(ann)).result, 'success')
})

test('applies the last of two simultaneous silences, and records both in the audit log', async () => {
  const { w, silence } = await scene()
  await using _ = w.chat
  await Promise.all([silence(w.ann, w.cordelia), silence(w.ann, w.iago, { minutes: 5, reason: 'Shorter' })])
  const { entries } = await w.iago.api.get('/audit', { action: 'moderateUser' })
  assert.deepEqual(entries.map(({ after }: { after: { minutes: number } }) => after.minutes).sort(), [5, 60])
  const last = entries[0].after.minutes
  const { until } = (await w.iago.api.get(`/users/${w.ann.id}/moderation`)).silenced
  assert.equal(until, Math.floor(w.clock.now() / 1000) + last * 60)
})
