import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { sql } from 'kysely'
import { runCommand } from '../../src/admin/commands.ts'
import type { Clock } from '../../src/core/kernel/base/clock.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { systemBots } from '../../src/core/kernel/system-bots.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import {
  actAs,
  createOrganization,
  deactivateOrganization,
  getMessages,
  manualClock,
  openChat,
  sendMessage,
} from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('delivers messages that came due while the server was down, once', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const clock = manualClock()
  const at = clock.now() + 60_000
  let user_id: number
  {
    await using chat = await openChat({ db, clock, passwordCost: 4 })
    ;({ user_id } = await createOrganization(chat, { org: 'o', owner_email: 'o@example.com', owner_name: 'Olga' }))
    const owner = await actAs(chat, { user_id })
    const deliver_at = new Date(at).toISOString()
    await sendMessage(owner, { type: 'stream', to: 'general', topic: 'later', content: 'from the past', deliver_at })
  }
  for (const start of ['first', 'second']) {
    await using chat = await openChat({ db, clock: manualClock(at + 3_600_000), passwordCost: 4 })
    await schedulerOf(chat).settled()
    const owner = await actAs(chat, { user_id })
    const { messages } = await getMessages(owner, { anchor: 'newest', num_before: 10, num_after: 0 })
    assert.equal(messages.filter((message) => message.subject === 'later').length, 1, `${start} start`)
  }
})

test('marks a message as failed when its sender may not post and delivers the next', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago', 'hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  await hamlet.api.post('/messages', { type: 'stream', to: 'secret', topic: 't', content: 'never', deliver_at })
  await hamlet.api.post('/messages', { type: 'private', to: [cordelia.id], content: 'soon', deliver_at })
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['secret'], principals: [hamlet.id] })
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const rows = await storeOf(w.chat)
    .db.selectFrom('scheduled_message')
    .select(['content', 'failed', 'failure_message'])
    .execute()
  assert.deepEqual(
    rows.map((row) => [row.content, row.failed]),
    [['never', 1]],
  )
  const { messages } = await cordelia.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.match(messages[0].content, /soon/)
  assert.match(await newestNotice(hamlet), /you scheduled for .* was not sent:\s+> .+\s+It is kept/)
})

test('delivers within a minute after the machine slept or its clock was set', async () => {
  const timers = manualClock()
  let slept = 0
  const clock: Clock = { now: () => timers.now() + slept, after: timers.after }
  await using chat = await openChat({ clock, passwordCost: 4 })
  const created = await createOrganization(chat, { org: 'o', owner_email: 'o@example.com', owner_name: 'Olga' })
  const owner = await actAs(chat, { user_id: created.user_id })
  const deliver_at = new Date(clock.now() + 8 * 3_600_000).toISOString()
  await sendMessage(owner, { type: 'stream', to: 'general', topic: 'later', content: 'good morning', deliver_at })
  await schedulerOf(chat).settled()
  // The time of day passes, but no timer runs.
  slept = 9 * 3_600_000
  timers.advance(60_000)
  await schedulerOf(chat).settled()
  const { messages } = await getMessages(owner, { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal(messages[0]!.subject, 'later')
})

test('holds messages while the organization is deactivated and fails those over a day late', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const now = Math.floor(w.clock.now() / 1000)
  const schedule = async (content: string, minutes: number) => {
    const message = { type: 'stream', to: 'general', topic: 'later', content }
    const { status } = await hamlet.api.post('/messages', { ...message, deliver_at: String(now + minutes * 60) })
    assert.equal(status, 200)
  }
  for (const [content, minutes] of [
    ['late', 60],
    ['in time', 120],
    ['ahead', 26 * 60],
  ] as const) {
    await schedule(content, minutes)
  }
  await deactivateOrganization(iago, {})
  w.clock.advance((25 * 60 + 30) * 60_000)
  await schedulerOf(w.chat).settled()
  const waiting = () =>
    storeOf(w.chat).db.selectFrom('scheduled_message').select(['content', 'failed']).orderBy('id').execute()
  assert.deepEqual(
    (await waiting()).map(({ failed }) => failed),
    [0, 0, 0],
  )
  await runCommand(w.chat, 'reactivateOrg', {}, () => {})
  await schedulerOf(w.chat).settled()
  assert.deepEqual(await waiting(), [
    { content: 'late', failed: 1 },
    { content: 'ahead', failed: 0 },
  ])
  const sent = async () => {
    const narrow = [{ operator: 'topic', operand: 'later' }]
    const { messages } = await hamlet.api.get('/messages', { narrow, anchor: 'newest', num_before: 9, num_after: 0 })
    return messages.map((message: { content: string }) => message.content)
  }
  assert.deepEqual(await sent(), ['<p>in time</p>'])
  assert.match(await newestNotice(hamlet), /was not sent:\s+> The organization was deactivated/)
  w.clock.advance(31 * 60_000)
  await schedulerOf(w.chat).settled()
  assert.deepEqual(await sent(), ['<p>in time</p>', '<p>ahead</p>'])
})

/** The newest message that the server has written to somebody, in Markdown. */
async function newestNotice({ api }: Person): Promise<string> {
  const narrow = [{ operator: 'sender', operand: systemBots.notification.email }]
  const newest = { narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  return (await api.get('/messages', newest)).messages[0].content
}

test('a clock jumping back neither repeats nor loses a scheduled message', async () => {
  await using w = await world()
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  await w.people.iago.api.post('/messages', { type: 'stream', to: 'general', topic: 'once', content: 'x', deliver_at })
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  w.clock.advance(-3_600_000)
  w.clock.advance(3_700_000)
  await schedulerOf(w.chat).settled()
  const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0 })
  assert.equal(messages.filter((message: { subject: string }) => message.subject === 'once').length, 1)
})

test('a repeated request schedules a message once', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { queue_id } = await hamlet.api.post('/register')
  const echo = { type: 'stream', to: 'general', topic: 't', content: 'once', queue_id, local_id: '1' }
  const first = await hamlet.api.post('/messages', { ...echo, deliver_at: '2999-01-01' })
  assert.deepEqual(await hamlet.api.post('/messages', { ...echo, deliver_at: '2999-01-01' }), first)
  assert.equal((await storeOf(w.chat).db.selectFrom('scheduled_message').selectAll().execute()).length, 1)
  // The same content sent immediately, or at another time, is another send.
  assert.equal((await hamlet.api.post('/messages', echo)).deliver_at, undefined)
  assert.notEqual((await hamlet.api.post('/messages', { ...echo, deliver_at: '2999-01-02' })).id, first.id)
})

test("rejects times that don't exist or that clients can't read", async () => {
  await using w = await world()
  const send = (deliver_at: string) =>
    w.people.hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'x', deliver_at })
  for (const time of [
    '2999-02-30',
    '2999-02-29T10:00:00Z',
    '2999-13-01',
    '253402300800',
    '9999-12-31T23:59:59-01:00',
  ]) {
    assert.equal((await send(time)).msg, 'Invalid time format', time)
  }
  assert.equal((await send('9999-12-31T23:59:59Z')).deliver_at, '9999-12-31T23:59:59+00:00')
  assert.equal((await send('2996-02-29')).deliver_at, '2996-02-29T00:00:00+00:00')
})

const itsPages = onlyOnSqlite('the disk is filled by a limit of its pages')
test('delivers a scheduled message that a full disk delayed', itsPages, async () => {
  await using w = await world()
  const { hamlet } = w.people
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  await hamlet.api.post('/messages', {
    type: 'stream',
    to: 'general',
    topic: 't',
    content: 'x'.repeat(9000),
    deliver_at,
  })
  const pages = (more: number) =>
    storeOf(w.chat).write(async ({ db }) => {
      const { page_count } = await storeOf(w.chat).inspect()
      await sql`pragma max_page_count = ${sql.lit(page_count + more)}`.execute(db)
    })
  await pages(0)
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const waiting = await storeOf(w.chat).db.selectFrom('scheduled_message').select('failed').execute()
  assert.deepEqual(waiting, [{ failed: 0 }])
  await pages(1000)
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('scheduled_message').select('failed').execute(), [])
})
