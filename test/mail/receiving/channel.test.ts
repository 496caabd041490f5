import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { removeOldMailIn } from '../../../src/core/mail/receiving/received.ts'
import { createBot, deactivateUser, reactivateUser } from '../../../src/index.ts'
import { kindOf, mailInWorld } from './in-world.ts'

test('email to the address of a channel is posted in the topic of its subject', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  assert.match(to, /^general\.[0-9a-f]{32}@chat\.example\.com$/)
  const mail = { subject: 'Re: AW: =?utf-8?q?Caf=C3=A9?= plans', body: 'See *you*\r\n-- \r\nThe bot' }
  assert.equal(kindOf(await m.arrives(to, mail)), 'posted')
  const { content, subject, sender_full_name, client } = await m.newest('cordelia')
  assert.deepEqual([content, subject, sender_full_name, client], ['See *you*', 'Café plans', 'Email Gateway', 'email'])
})

test('each person has an own address, which stays the same until it is revoked', async () => {
  await using m = await mailInWorld()
  const first = await m.addressOf('hamlet')
  assert.equal(await m.addressOf('hamlet'), first)
  const hers = await m.addressOf('cordelia')
  assert.notEqual(hers, first)
  const path = `/streams/${await m.w.streamId('general')}/email_address`
  await m.hamlet.api.delete(path)
  assert.equal(kindOf(await m.arrives(first)), '550 5.1.1')
  assert.equal(kindOf(await m.arrives(hers)), 'posted')
  const second = await m.addressOf('hamlet')
  assert.notEqual(second, first)
  assert.equal((await m.hamlet.api.delete(path, { everyone: true })).code, 'CANNOT_ADMINISTER_CHANNEL')
  assert.equal((await m.iago.api.delete(path, { everyone: true })).status, 200)
  for (const to of [second, hers]) assert.equal(kindOf(await m.arrives(to)), '550 5.1.1')
})

test("slow mode limits email to a channel's address, for all strangers together", async () => {
  await using m = await mailInWorld()
  await m.iago.api.patch(`/streams/${await m.w.streamId('general')}`, { slow_mode_seconds: 60 })
  const [his, hers] = [await m.addressOf('hamlet'), await m.addressOf('cordelia')]
  assert.equal(kindOf(await m.arrives(his)), 'posted')
  assert.equal(kindOf(await m.arrives(hers)), 'reported')
  assert.match((await m.newest('cordelia')).content, /was not posted: This channel is in slow mode\./)
  m.w.clock.advance(60_000)
  assert.equal(kindOf(await m.arrives(hers)), 'posted')
})

test('mail programs may change the case of an address, and a plus sign may stand for a dot', async () => {
  await using m = await mailInWorld({ mailIn: { address: 'chat+%s@example.com' } })
  const to = await m.addressOf('hamlet')
  assert.match(to, /^chat\+general\.[0-9a-f]{32}@example\.com$/)
  assert.equal(kindOf(await m.arrives(to.toUpperCase())), 'posted')
  assert.equal(kindOf(await m.arrives(to.replace('.', '+'))), 'posted')
  assert.equal(kindOf(await m.arrives(to.replace('@', '.show-sender@'))), 'posted')
  const token = /[0-9a-f]{32}/.exec(to)![0]
  for (const wrong of [token.slice(1), `${token}0`, `mm${token}`, `x${token}`, '', '@', `${'a.'.repeat(5000)}${token}`])
    assert.equal(kindOf(await m.arrives(`${wrong}@example.com`)), '550 5.1.1', wrong.slice(0, 50))
})

test('a name in another script is left out of the address', async () => {
  await using m = await mailInWorld()
  await m.hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'Über 1' }, { name: '日本' }] })
  assert.match(await m.addressOf('hamlet', 'Über 1'), /^uber-1\.[0-9a-f]{32}@/)
  assert.match(await m.addressOf('hamlet', '日本'), /^[0-9a-f]{32}@/)
})

test('the person, a bot of theirs or the Email Gateway bot posts', async () => {
  await using m = await mailInWorld()
  const { user_id } = await createBot(m.hamlet, { full_name: 'Postman', short_name: 'postman' })
  const path = `/streams/${await m.w.streamId('general')}/email_address`
  assert.equal(kindOf(await m.arrives(await m.addressOf('hamlet', 'general', user_id))), 'posted')
  assert.equal((await m.newest('hamlet')).sender_full_name, 'Postman')
  const mine = await m.addressOf('hamlet', 'general', m.hamlet.id)
  assert.equal(kindOf(await m.arrives(mine, { from: `Hamlet <${m.hamlet.email}>` })), 'posted')
  assert.equal((await m.newest('hamlet')).sender_full_name, 'hamlet')
  // People who know the address can't write in somebody's name.
  assert.equal(kindOf(await m.arrives(mine)), 'reported')
  for (const sender_id of [m.cordelia.id, 999_999])
    assert.equal((await m.hamlet.api.get(path, { sender_id })).msg, 'Invalid sender ID')
  assert.equal((await m.cordelia.api.get(path, { sender_id: user_id })).msg, 'Invalid sender ID')
})

test('needs the right to post, then and when email arrives', async () => {
  await using m = await mailInWorld()
  const stream_id = await m.w.streamId('general')
  const to = await m.addressOf('hamlet')
  const admins = await m.w.groupId('role:administrators')
  const change = { can_send_message_group: { new: admins } }
  assert.equal((await m.iago.api.patch(`/streams/${stream_id}`, change)).status, 200)
  assert.equal(kindOf(await m.arrives(to)), '550 5.7.1')
  const { status, msg } = await m.hamlet.api.get(`/streams/${stream_id}/email_address`)
  assert.deepEqual([status, msg], [400, 'You do not have permission to post in this stream.'])
  const his = await m.addressOf('iago')
  assert.equal(kindOf(await m.arrives(his)), 'posted')
  await m.iago.api.delete(`/streams/${stream_id}`)
  assert.equal(kindOf(await m.arrives(his)), '550 5.7.1')
})

test('a deactivation ends addresses, and a reactivation does not bring them back', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  const { user_id } = await createBot(m.cordelia, { full_name: 'Postman', short_name: 'postman' })
  const ofBot = await m.addressOf('cordelia', 'general', user_id)
  await deactivateUser(m.iago, { user_id: m.hamlet.id })
  await m.iago.api.delete(`/bots/${user_id}`)
  for (const address of [to, ofBot]) assert.equal(kindOf(await m.arrives(address)), '550 5.1.1')
  await reactivateUser(m.iago, { user_id: m.hamlet.id })
  assert.equal(kindOf(await m.arrives(to)), '550 5.1.1')
})

test('a bot that got another owner no longer posts for the first one', async () => {
  await using m = await mailInWorld()
  const { user_id } = await createBot(m.hamlet, { full_name: 'Postman', short_name: 'postman' })
  const to = await m.addressOf('hamlet', 'general', user_id)
  assert.equal((await m.iago.api.patch(`/bots/${user_id}`, { bot_owner_id: m.cordelia.id })).status, 200)
  assert.equal(kindOf(await m.arrives(to)), '550 5.7.1')
})

test('an answer stays in the topic of the email that it answers, also after that was renamed', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  await m.arrives(to, { 'message-id': '<first@elsewhere.example>', subject: 'Party' })
  const { id } = await m.newest('iago')
  await m.iago.api.patch(`/messages/${id}`, { topic: 'Feast' })
  await m.arrives(to, { subject: 'Re: something else', 'in-reply-to': '<first@elsewhere.example>' })
  assert.equal((await m.newest('iago')).subject, 'Feast')
  await m.arrives(to, { subject: 'Re: else', references: '<first@elsewhere.example> <unknown@elsewhere.example>' })
  assert.equal((await m.newest('iago')).subject, 'Feast')
  // Another person's address has threads of its own.
  await m.arrives(await m.addressOf('cordelia'), { subject: 'Re: else', 'in-reply-to': '<first@elsewhere.example>' })
  assert.equal((await m.newest('iago')).subject, 'else')
})

test('the same email is posted once for each address', async () => {
  await using m = await mailInWorld()
  const [to, hers] = [await m.addressOf('hamlet'), await m.addressOf('cordelia')]
  const mail = { 'message-id': '<same@elsewhere.example>' }
  const kinds = await Promise.all([to, to, hers, to].map(async (address) => kindOf(await m.arrives(address, mail))))
  assert.deepEqual(kinds.toSorted(), ['posted', 'posted', 'repeated', 'repeated'])
  // Without a Message-ID, its content names an email.
  const nameless = { 'message-id': '' }
  assert.equal(kindOf(await m.arrives(to, nameless)), 'posted')
  assert.equal(kindOf(await m.arrives(to, nameless)), 'repeated')
  assert.equal(kindOf(await m.arrives(to, { ...nameless, body: 'other' })), 'posted')
})

test('rejects email for now when too much of it arrives', async () => {
  await using m = await mailInWorld()
  const [to, hers] = [await m.addressOf('hamlet'), await m.addressOf('cordelia')]
  const counts: Record<string, number> = {}
  for (let i = 0; i < 22; i++) {
    const kind = kindOf(await m.arrives(to))
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  assert.deepEqual(counts, { posted: 20, '451 4.7.1': 2 })
  assert.equal(kindOf(await m.arrives(hers)), 'posted')
  m.w.clock.advance(61_000)
  assert.equal(kindOf(await m.arrives(to)), 'posted')
})

test('forgets emails and ended addresses after 30 days', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  const mail = { 'message-id': '<same@elsewhere.example>' }
  assert.ok(await m.replyAddress('hamlet', () => m.cordelia.says('psst', { people: [m.hamlet] })))
  assert.equal(kindOf(await m.arrives(to, mail)), 'posted')
  const { db } = storeOf(m.w.chat)
  const counts = async () => {
    await removeOldMailIn(m.w.chat)
    const received = await db.selectFrom('mail_received').select('digest').execute()
    return [received.length, (await db.selectFrom('reply_address').select('id').execute()).length]
  }
  assert.deepEqual(await counts(), [1, 1])
  m.w.clock.advance(31 * 86_400_000)
  assert.deepEqual(await counts(), [0, 0])
  assert.equal(kindOf(await m.arrives(to, mail)), 'posted')
})

test('a channel without an address says so', async () => {
  await using m = await mailInWorld({ mailIn: undefined as never })
  const { status, msg } = await m.hamlet.api.get(`/streams/${await m.w.streamId('general')}/email_address`)
  assert.deepEqual([status, msg], [400, "This server doesn't receive email, so its channels have no email addresses."])
})

test('a silenced person posts no email through the Email Gateway bot', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  const silenced = await m.iago.api.post(`/users/${m.hamlet.id}/moderate`, {
    ...{ actions: ['silence'], minutes: 60, reason: 'Too loud' },
  })
  assert.equal(silenced.result, 'success')
  assert.equal(kindOf(await m.arrives(to)), 'reported')
})
