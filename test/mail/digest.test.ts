// cspell:ignore Twoich nowe
import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { weekOf } from '../../src/core/mail/sending/week.ts'
import { createApp } from '../../src/http/index.ts'
import { linksIn, type MailWorld, mailWorld } from './mail-world.ts'

const DAY = 86_400
/** A Tuesday, which is the default day, at nine o'clock. */
const TUESDAY = Date.UTC(2026, 0, 13, 9) / 1000

/** A world in which hamlet gets weekly emails. The time is the Monday of the second week. */
async function digestWorld(settings: object = {}) {
  const m = await mailWorld()
  await m.iago.api.patch('/realm', { digest_emails_enabled: true, ...settings })
  for (const { api } of [m.iago, m.cordelia, m.polonius]) await api.patch('/settings', { enable_digest_emails: false })
  await m.after(TUESDAY - DAY - m.w.clock.now() / 1000)
  assert.deepEqual(await m.sent(), [])
  return m
}

/** The weekly emails of the next Tuesday. */
async function onTuesday(m: MailWorld) {
  const today = m.w.clock.now() / 1000
  await m.after(TUESDAY + Math.ceil((today - TUESDAY + 1) / (7 * DAY)) * 7 * DAY - today)
  return (await m.sent()).filter(({ headers }) => headers['list-unsubscribe']?.includes('/digest/'))
}

test('summarizes the week for people who were away', async () => {
  await using m = await digestWorld()
  const { hamlet, cordelia, iago } = m
  await hamlet.api.patch('/settings', { enable_offline_email_notifications: false })
  for (let i = 0; i < 3; i++) await cordelia.says(`step ${i}`, { topic: 'plot' })
  await iago.says('so?', { topic: 'plot' })
  await cordelia.says('first', { topic: 'play' })
  await cordelia.says('psst', { people: [hamlet] })
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'gardens' }] })
  const [mail, ...more] = await onTuesday(m)
  assert.deepEqual(more, [])
  assert.deepEqual([mail!.to.name, mail!.subject], ['hamlet', 'Your week in Elsinore'])
  const { text, html } = mail!
  assert.match(text, /You have 1 unread direct message\.\n\nThere are 5 new messages in your channels\.\n/)
  assert.match(
    text,
    /Active topics\n\n#general > plot\n {2}4 messages: cordelia, iago\n {2}https:.*\n\n#general > play\n/,
  )
  assert.match(text, /New channels\n\n#gardens\n {2}https:/)
  assert.ok(html.includes('#general &gt; plot') && !`${text}${html}`.includes('psst'))
})

test('is sent once a week, whatever process sends it and however often it starts', async () => {
  await using m = await digestWorld()
  await m.cordelia.says('word', { topic: 'plot' })
  await m.after(DAY - 1)
  assert.deepEqual(await m.sent(), [])
  const before = await m.w.snapshot()
  await m.after(1)
  assert.equal((await m.sent()).length, 1)
  // Restarts on the same day.
  for (let i = 0; i < 3; i++) {
    await m.w.restore(await m.w.snapshot())
    await m.after(3600)
  }
  // Another day of the same week.
  await m.iago.api.patch('/realm', { digest_weekday: 4 })
  for (let day = 0; day < 5; day++) await m.after(DAY)
  assert.deepEqual(await m.sent(), [])
  // A process that was stopped at nine o'clock sends it later on the same day.
  await m.w.restore({ ...before, now: before.now + 20 * 3_600_000 })
  await m.after(1)
  assert.equal((await m.sent()).length, 1)
})

test("isn't sent to people who were active or never signed in, or when nothing happened", async () => {
  await using m = await digestWorld()
  const { hamlet, cordelia, iago } = m
  assert.deepEqual(await onTuesday(m), [])
  await cordelia.says('word', { topic: 'plot' })
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await m.after(6 * DAY)
  await iago.api.post('/users', { email: 'new@example.com', full_name: 'Newcomer', password: 'correct horse' })
  await cordelia.says('word', { topic: 'plot' })
  assert.deepEqual(
    (await onTuesday(m)).map(({ to }) => to.name),
    ['hamlet'],
  )
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await cordelia.says('word', { topic: 'plot' })
  await m.after(4 * DAY)
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  assert.deepEqual(await onTuesday(m), [])
})

test('the use of a key counts for people who hide their presence', async () => {
  await using m = await digestWorld()
  const { hamlet, cordelia } = m
  await hamlet.api.patch('/settings', { presence_enabled: false })
  await hamlet.api.post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  await cordelia.says('word', { topic: 'plot' })
  await hamlet.write(({ db }) =>
    db
      .updateTable('api_key')
      .set({ last_used_at: Math.floor(m.w.clock.now() / 1000) })
      .where('user_id', '=', hamlet.id)
      .execute(),
  )
  assert.deepEqual(await onTuesday(m), [])
  await cordelia.says('word', { topic: 'plot' })
  assert.equal((await onTuesday(m)).length, 1)
})

test('leaves out what its reader may not see or has muted', async () => {
  await using m = await digestWorld()
  const { hamlet, cordelia, iago } = m
  const subscriptions = (name: string) => ({ subscriptions: [{ name }], invite_only: true })
  await iago.api.post('/users/me/subscriptions', { ...subscriptions('secret'), principals: [cordelia.id] })
  await cordelia.says('a secret', { stream: 'secret', topic: 'plot' })
  const stream_id = await m.w.streamId('general')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'noise', visibility_policy: 1 })
  await cordelia.says('noise', { topic: 'noise' })
  await hamlet.api.post(`/users/me/muted_users/${iago.id}`)
  await iago.says('blah', { topic: 'plot' })
  assert.deepEqual(await onTuesday(m), [])
  await cordelia.says('word', { topic: 'plot' })
  const [mail] = await onTuesday(m)
  assert.match(mail!.text, /There is 1 new message in your channels\./)
  assert.doesNotMatch(mail!.text, /secret|noise|iago/)
})

test('reads a busy week in parts, between which others are served', async () => {
  await using m = await digestWorld({ digest_emails_enabled: false })
  const { id } = await m.cordelia.says('word', { topic: 'plot' })
  await m.iago.says('so?', { topic: 'plot' })
  await m.iago.write(async ({ db }) => {
    const { id: _, ...row } = await db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (let i = 0; i < 60; i++)
      await db
        .insertInto('message')
        .values(Array.from({ length: 100 }, () => row))
        .execute()
  })
  const topics: number[] = []
  let turns = 0
  let isReading = true
  const count = () => {
    turns++
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const { messages, topics: live } = await weekOf(m.hamlet)
  isReading = false
  for (const { count, newest } of live) topics.push(count, ...newest.map(({ sender_id }) => sender_id))
  assert.deepEqual([messages, topics], [6002, [6002, m.cordelia.id, m.iago.id]])
  assert.ok(turns >= 6, `${turns} turns`)
})

test('has no names if the person or the organization wants no content in emails', async () => {
  await using m = await digestWorld({ message_content_allowed_in_email_notifications: false })
  await m.cordelia.says('word', { topic: 'plot' })
  const [mail] = await onTuesday(m)
  assert.match(mail!.text, /There is 1 new message/)
  assert.doesNotMatch(mail!.text, /plot|cordelia|general/)
})

test('one click stops weekly emails, and nothing else', async () => {
  await using m = await digestWorld()
  await m.cordelia.says('word', { topic: 'plot' })
  const [mail] = await onTuesday(m)
  const link = /^<(https:\S+)>$/.exec(mail!.headers['list-unsubscribe']!)![1]!
  assert.equal(linksIn(mail!).at(-1), link)
  assert.match(link, /^https:\/\/chat\.example\.com\/accounts\/unsubscribe\/digest\/\d+-[\w-]{43}$/)
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  // Its token ends no other emails.
  const other = link.replace('/digest/', '/missed_messages/')
  assert.equal((await app.fetch(new Request(other, { method: 'POST' }))).status, 400)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await app.fetch(new Request(link, { method: 'POST', body }))).status, 200)
  await m.cordelia.says('word', { topic: 'plot' })
  assert.deepEqual(await onTuesday(m), [])
  await m.cordelia.says('psst', { people: [m.hamlet] })
  await m.after(120)
  assert.equal((await m.sent()).length, 1)
})

test("uses the recipient's language", async () => {
  await using m = await digestWorld()
  await m.hamlet.api.patch('/settings', { default_language: 'pl' })
  for (let i = 0; i < 22; i++) await m.cordelia.says('word', { topic: 'plot' })
  const [mail] = await onTuesday(m)
  assert.equal(mail!.subject, 'Twój tydzień: Elsinore')
  assert.match(mail!.text, /W Twoich kanałach są 22 nowe wiadomości\./)
})

test('drops a waiting digest if its reader comes back or turns it off', async () => {
  await using m = await digestWorld()
  const { hamlet, cordelia } = m
  m.server(() => Promise.reject(new Error('not now')))
  await cordelia.says('word', { topic: 'plot' })
  await m.after(DAY)
  await hamlet.api.patch('/settings', { enable_digest_emails: false })
  m.server(() => {})
  await m.after(600)
  const { mails } = await runCommand(m.w.chat, 'listMail', {}, () => {})
  assert.deepEqual(
    mails.map(({ kind, state, failure }) => [kind, state, failure]),
    [['digest', 'dropped', 'weekly emails were switched off']],
  )
})
