import assert from 'node:assert/strict'
import test from 'node:test'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

/** cordelia and ben are moderators, and hamlet is an administrator. The moderation channel is private. */
async function scene() {
  const w = await world({
    people: ['ann', 'ben', 'eve'],
    streams: { moderation: { private: true, members: ['iago'] }, den: { private: true, members: ['ann', 'eve'] } },
  })
  await w.iago.api.patch('/realm', { moderation_request_channel_id: await w.streamId('moderation') })
  for (const who of [w.cordelia, w.ben]) await w.iago.api.patch(`/users/${who.id}`, { role: 300 })
  await w.iago.api.patch(`/users/${w.hamlet.id}`, { role: 200 })
  const report = (who: Person, message_id: number, more: object = {}) =>
    who.api.post(`/messages/${message_id}/report`, { report_type: 'spam', ...more })
  const queue = async (who: Person = w.cordelia, params: object = {}) =>
    (await who.api.get('/reports', { ...params })).reports
  return { w, report, queue }
}

test('queues a report with the message, its place and each of its reporters', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  const { ann, eve } = w
  const open = await eve.says('buy **this**', { topic: 'offers' })
  const direct = await eve.says('and that', { people: [ann] })
  await report(ann, open.id, { description: 'an ad' })
  await report(ann, direct.id, { report_type: 'harassment' })
  w.clock.advance(5000)
  await report(w.polonius, open.id).then(({ msg }) => assert.equal(msg, 'Invalid message(s)'))
  await report(w.ben, open.id, { report_type: 'other', description: 'again' })
  const [second, first, ...more] = await queue()
  assert.equal(more.length, 0)
  const now = Math.floor(w.clock.now() / 1000)
  assert.deepEqual(first, {
    id: first.id,
    message_id: open.id,
    author_id: eve.id,
    sent_at: now - 5,
    place: { stream_id: await w.streamId('general'), topic: 'offers' },
    content: 'buy **this**',
    is_deleted: false,
    state: 'open',
    taken_by: null,
    decision: '',
    reported_at: now,
    closed_at: null,
    reasons: [
      { user_id: w.ben.id, type: 'other', description: 'again', at: now },
      { user_id: ann.id, type: 'spam', description: 'an ad', at: now - 5 },
    ],
  })
  assert.deepEqual([second.content, second.place], ['and that', { user_ids: [ann.id, eve.id].sort((a, b) => a - b) }])
  // The text stays as it was reported, and nobody reads it in a copied database.
  await eve.api.patch(`/messages/${open.id}`, { content: 'nothing to see' })
  await report(w.hamlet, open.id)
  assert.equal((await queue()).find(({ id }: { id: number }) => id === first.id).content, 'buy **this**')
  const [row] = await storeOf(w.chat).db.selectFrom('report').select('content').orderBy('id').execute()
  assert.ok(!row!.content.includes('buy'))
})

test('is for moderators, and hides reports from the authors of their messages', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  const { ann, ben, cordelia, eve, polonius } = w
  const received = await Promise.all([cordelia, w.iago, ben, ann, eve].map((who) => listen(who, ['report'])))
  const made = await ben.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await ben.api.get(`/users/${made.user_id}`)).user
  const bot = apiOf(w.chat, { email, key: made.api_key })
  await report(ann, (await ben.says('mine')).id)
  const { id } = await bot.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'of the bot' })
  await report(ann, id)
  assert.deepEqual([(await queue()).length, (await queue(ben)).length], [2, 0])
  const { counts } = await ben.api.get('/reports')
  assert.deepEqual(counts, { open: 0, taken: 0, closed: 0 })
  for (const { id: report_id } of await queue()) {
    const answer = await ben.api.patch(`/reports/${report_id}`, { state: 'closed' })
    assert.deepEqual([answer.status, answer.msg], [400, 'No such report'])
  }
  const seen = []
  for (const events of received) seen.push((await events()).length)
  assert.deepEqual(seen, [2, 2, 0, 0, 0])
  for (const who of [ann, eve, polonius]) {
    for (const answer of [
      await who.api.get('/reports'),
      await who.api.patch('/reports/1', { state: 'closed' }),
      await who.api.patch('/reports/1', { delete_message: true }),
    ])
      assert.deepEqual([answer.status, answer.msg], [400, 'Must be an organization moderator'])
  }
})

test('is taken by one moderator, released, closed with a decision and opened again', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  const { ann, ben, cordelia, eve, iago } = w
  await report(ann, (await eve.says('spam')).id)
  const [{ id }] = await queue()
  const change = (who: Person, params: object) => who.api.patch(`/reports/${id}`, { ...params })
  // Two moderators take it at the same time.
  const both = await Promise.all([change(cordelia, { state: 'taken' }), change(ben, { state: 'taken' })])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const [mine, theirs] = both[0]!.status === 200 ? [cordelia, ben] : [ben, cordelia]
  for (const params of [{ state: 'closed' }, { state: 'taken' }, { decision: 'x' }, { delete_message: true }]) {
    const answer = await change(theirs, params)
    assert.deepEqual(
      [answer.status, answer.msg, answer.taken_by],
      [409, 'Another moderator has taken this report.', mine.id],
    )
  }
  assert.equal((await change(mine, { state: 'taken' })).status, 200)
  assert.equal((await change(theirs, { state: 'open' })).status, 200)
  assert.equal((await queue())[0].taken_by, null)
  assert.equal((await change(theirs, { state: 'closed', decision: ' It is fine. ' })).status, 200)
  const [closed] = await queue(iago, { state: 'closed' })
  assert.deepEqual(
    [closed.state, closed.taken_by, closed.decision, closed.closed_at],
    ['closed', theirs.id, 'It is fine.', Math.floor(w.clock.now() / 1000)],
  )
  assert.deepEqual((await iago.api.get('/reports')).counts, { open: 0, taken: 0, closed: 1 })
  assert.equal((await change(mine, { state: 'taken' })).msg, 'This report is closed. Open it again first.')
  assert.equal((await change(mine, { state: 'closed' })).status, 409)
  assert.equal((await change(mine, { state: 'open' })).status, 200)
  assert.equal((await change(mine, { state: 'closed' })).status, 200)
  // Reported again, it opens again.
  await report(w.hamlet, closed.message_id)
  const [again] = await queue()
  assert.deepEqual([again.state, again.taken_by, again.closed_at, again.reasons.length], ['open', null, null, 2])
  const { entries } = await iago.api.get('/audit', { action: 'updateReport' })
  assert.equal(entries.length, 5)
  assert.ok(!JSON.stringify(entries).includes('"spam"'))
})

test('deletes the reported message where the moderator sees nothing else, and only of people they may moderate', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  const { ann, cordelia, eve, hamlet } = w
  const hidden = await eve.says('hidden', { stream: 'den', topic: 'x' })
  const direct = await hamlet.says('direct', { people: [ann] })
  await report(ann, hidden.id)
  await report(ann, direct.id)
  const [ofAdministrator, ofMember] = await queue()
  const received = await listen(ann, ['delete_message'])
  const remove = (id: number, who = cordelia) =>
    who.api.patch(`/reports/${id}`, { delete_message: true, state: 'closed' })
  assert.equal((await remove(ofAdministrator.id)).msg, 'Must be an organization administrator')
  assert.equal((await queue())[0].state, 'open')
  assert.equal((await remove(ofMember.id)).msg, '')
  assert.deepEqual(
    (await received()).map(({ message_id, message_ids }) => message_id ?? message_ids?.[0]),
    [hidden.id],
  )
  const [gone] = await queue(cordelia, { state: 'closed' })
  assert.deepEqual([gone.is_deleted, gone.content, gone.state], [true, 'hidden', 'closed'])
  // It may be gone already.
  await w.iago.api.delete(`/messages/${direct.id}`)
  assert.equal((await remove(ofAdministrator.id, w.iago)).msg, '')
})

test('rejects what makes no sense', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  await report(w.ann, (await w.eve.says('spam')).id)
  const [{ id }] = await queue()
  for (const [path, params, msg] of [
    [`/reports/${id}`, {}, 'Nothing to change'],
    [`/reports/${id}`, { state: 'done' }, 'Invalid state'],
    [`/reports/${id}`, { decision: 'x'.repeat(1001) }, 'decision is too long (limit: 1000 characters)'],
    ['/reports/999', { state: 'closed' }, 'No such report'],
  ] as const) {
    const answer = await w.cordelia.api.patch(path, params)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.equal((await w.cordelia.api.get('/reports', { state: 'done' })).msg, 'Invalid state')
})

test('pages through the queue, and forgets closed reports after ninety days and erased authors', async () => {
  const { w, report, queue } = await scene()
  await using _ = w.chat
  for (let i = 0; i < 51; i++) await report(w.ann, (await w.eve.says(`spam ${i}`)).id)
  const page = await w.cordelia.api.get('/reports')
  assert.deepEqual([page.reports.length, page.next], [50, page.reports.at(-1).id])
  const rest = await w.cordelia.api.get('/reports', { before: page.next })
  assert.deepEqual([rest.reports.length, rest.next, rest.reports[0].content], [1, null, 'spam 0'])
  await w.cordelia.api.patch(`/reports/${page.next}`, { state: 'closed' })
  w.clock.advance(90 * 24 * 3_600_000)
  await sweep(w.chat)
  assert.equal((await queue(w.cordelia, { state: 'closed' })).length, 1)
  w.clock.advance(1000)
  await sweep(w.chat)
  assert.equal((await queue(w.cordelia, { state: 'closed' })).length, 0)
  await w.iago.api.delete(`/users/${w.eve.id}`, { actions: { erase: true } })
  assert.equal((await queue()).length, 0)
  const left = await storeOf(w.chat).db.selectFrom('report_reason').select('report_id').execute()
  assert.deepEqual(left, [])
})

test("shows a moderator's bot no reports of its owner, and keeps it from moderating them", async () => {
  const { w, report } = await scene()
  await using _ = w.chat
  const { api_key, user_id } = await w.cordelia.api.post('/bots', { full_name: 'Helper', short_name: 'helper' })
  const { email } = (await w.iago.api.get(`/users/${user_id}`)).user
  for (const id of [user_id, w.cordelia.id]) await w.iago.api.patch(`/users/${id}`, { role: 200 })
  const bot = apiOf(w.chat, { email, key: api_key })
  const mine = await w.cordelia.says('rude')
  await report(w.ann, mine.id)
  assert.deepEqual((await bot.get('/reports')).reports, [])
  await w.iago.api.post(`/users/${w.cordelia.id}/moderate`, { actions: ['silence'], minutes: 5, reason: 'x' })
  for (const id of [w.cordelia.id, user_id]) {
    const { status, msg } = await bot.post(`/users/${id}/moderate`, { actions: ['end_silence'], reason: 'x' })
    assert.deepEqual([status, msg], [400, "You can't moderate your own account."])
  }
})
