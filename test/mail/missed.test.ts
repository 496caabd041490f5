import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { deleteMessage } from '../../src/index.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { world } from '../../src/testing/index.ts'
import { failure, linksIn, type MailWorld, mailWorld, PUBLIC_URL } from './mail-world.ts'

const PERIOD = 120
/** The receiver and the subject of each email after the usual wait. */
async function missed(m: MailWorld): Promise<string[]> {
  await m.after(PERIOD)
  return (await m.sent()).map(({ to, subject }) => `${to.name}: ${subject}`)
}
const one = async (m: MailWorld): Promise<Mail> => {
  await m.after(PERIOD)
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  return mail!
}

test('emails direct messages, mentions and followed topics that stay unread', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  await cordelia.says('psst', { people: [hamlet] })
  assert.deepEqual(await m.sent(), [])
  assert.deepEqual(await missed(m), ['hamlet: DMs with cordelia'])
  await cordelia.says('look, @**hamlet**', { topic: 'ghosts' })
  assert.deepEqual(await missed(m), ['hamlet: #general > ghosts'])
  await cordelia.says('nothing', { topic: 'plays' })
  assert.deepEqual(await missed(m), [])
  const stream_id = await m.w.streamId('general')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'plays', visibility_policy: 3 })
  await cordelia.says('something', { topic: 'plays' })
  assert.deepEqual(await missed(m), ['hamlet: #general > plays'])
  await hamlet.says('my own @**hamlet**', { topic: 'plays' })
  // She started the topic, so she follows it.
  assert.deepEqual(await missed(m), ['cordelia: #general > plays'])
})

test('one email tells of all messages of a conversation, after the first has waited', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  await cordelia.says('one', { people: [hamlet] })
  await m.after(100)
  await cordelia.says('two', { people: [hamlet] })
  await iago.says('three', { people: [hamlet] })
  await m.after(20)
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  assert.match(mail!.text, /cordelia, .*:\n {2}one\n\ncordelia, .*:\n {2}two/)
  await m.after(100)
  assert.deepEqual(
    (await m.sent()).map(({ subject }) => subject),
    ['DMs with iago'],
  )
})

test('messages that were read, were deleted or became hidden are left out', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  const { id } = await cordelia.says('read', { people: [hamlet] })
  const gone = await iago.says('deleted', { people: [hamlet] })
  await m.settled()
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await deleteMessage(iago, { message_id: gone.id })
  assert.deepEqual(await missed(m), [])

  const first = await cordelia.says('wrong', { people: [hamlet] })
  await cordelia.says('kept', { people: [hamlet] })
  await cordelia.api.patch(`/messages/${first.id}`, { content: 'corrected' })
  const { text } = await one(m)
  assert.match(text, /corrected.*kept/s)
  assert.ok(!text.includes('wrong'))
})

test('people who are present are emailed after they leave, unless they read', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  const isPresent = () => hamlet.api.post('/users/me/presence', { status: 'active' })
  await cordelia.says('psst', { people: [hamlet] })
  await m.after(100)
  await isPresent()
  assert.deepEqual(await missed(m), [])
  assert.deepEqual(await missed(m), ['hamlet: DMs with cordelia'])
})

test('obeys the settings, and the setting of a channel', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  const set = (settings: Record<string, unknown>) => hamlet.api.patch('/settings', settings)
  const stream_id = await m.w.streamId('general')
  const ofStream = (property: string, value: boolean) =>
    hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] })
  await set({ enable_offline_email_notifications: false })
  await cordelia.says('psst', { people: [hamlet] })
  assert.deepEqual(await missed(m), [])
  await set({ enable_stream_email_notifications: true })
  await cordelia.says('word')
  assert.equal((await missed(m)).length, 1)
  await ofStream('email_notifications', false)
  await cordelia.says('word')
  assert.deepEqual(await missed(m), [])
  await set({ enable_stream_email_notifications: false })
  await ofStream('email_notifications', true)
  await cordelia.says('word')
  assert.equal((await missed(m)).length, 1)
  await ofStream('is_muted', true)
  await cordelia.says('word')
  assert.deepEqual(await missed(m), [])
  await set({ enable_offline_email_notifications: true, email_notifications_batching_period_seconds: 1000 })
  await cordelia.says('psst', { people: [hamlet] })
  await m.after(999)
  assert.deepEqual(await m.sent(), [])
  await m.after(1)
  assert.equal((await m.sent()).length, 1)
  await cordelia.says('psst', { people: [hamlet] })
  await m.settled()
  await set({ enable_offline_email_notifications: false })
  await m.after(1000)
  assert.deepEqual(await m.sent(), [])
})

test('muted people and deactivated accounts cause and get no emails', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`)
  await cordelia.says('psst', { people: [hamlet] })
  assert.deepEqual(await missed(m), [])
  await iago.says('psst', { people: [hamlet] })
  await m.settled()
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.deepEqual(await missed(m), [])
})

test('leaves everything about the messages out if the person or the organization wants it', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  const check = async () => {
    await cordelia.says('a secret plan', { people: [hamlet] })
    const { subject, text, html } = await one(m)
    assert.equal(subject, 'New messages')
    for (const word of ['secret', 'cordelia', 'narrow']) assert.ok(!`${text}${html}`.includes(word), word)
  }
  await iago.api.patch('/realm', { message_content_allowed_in_email_notifications: false })
  await check()
  await iago.api.patch('/realm', { message_content_allowed_in_email_notifications: true })
  await hamlet.api.patch('/settings', { message_content_in_email_notifications: false })
  await check()
})

test('shows messages as text in the time zone of the reader, with a link to the conversation', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  await hamlet.api.patch('/settings', { timezone: 'Asia/Tokyo', twenty_four_hour_time: true })
  const content =
    '**bold** <script>alert(1)</script> :smile: [link](https://example.com)\n```spoiler who\nthe butler\n```\nend'
  const { id } = await cordelia.says(content, { people: [hamlet] })
  const { text, html } = await one(m)
  assert.match(text, /^cordelia, Jan 1, 2026, 21:\d\d GMT\+9:\n {2}bold <script>alert\(1\)<\/script> :smile: link\n/m)
  assert.match(text, /\(hidden\)\s+end/)
  for (const each of [text, html]) assert.ok(!each.includes('butler'))
  assert.ok(html.includes('&lt;script&gt;') && !html.includes('<script'))
  assert.doesNotMatch(html, /<img|<link|src=/)
  assert.equal(linksIn({ text })[0], `https://chat.example.com/#narrow/dm/${cordelia.id}/near/${id}`)
})

test('a mention comes with the messages of its topic right before it', async () => {
  await using m = await mailWorld()
  const { cordelia } = m
  await cordelia.says('long ago', { topic: 'plot' })
  m.w.clock.advance(1000 * 1000)
  for (let i = 0; i < 12; i++) await cordelia.says(`step ${i}`, { topic: 'plot' })
  await cordelia.says('elsewhere', { topic: 'other' })
  // The mention follows the topic, and messages that are checked only afterwards are missed ones of a followed topic.
  await m.settled()
  await cordelia.says('what now, @**hamlet**?', { topic: 'plot' })
  const { text } = await one(m)
  assert.match(text, /step 2\n.*step 11\n.*what now, @hamlet\?/s)
  assert.doesNotMatch(text, /long ago|step 1\n|elsewhere/)
})

test('a mention keeps the messages before it if the server checks all of them later', async () => {
  await using m = await mailWorld()
  await using busy = await world({ chat: { publicUrl: PUBLIC_URL } })
  // A world without the worker, so that the messages are checked together afterwards.
  await busy.restore(await m.w.snapshot())
  const { cordelia } = busy.people
  await cordelia.says('long ago', { topic: 'plot' })
  busy.clock.advance(1000 * 1000)
  for (let i = 0; i < 12; i++) {
    await cordelia.says(`step ${i}`, { topic: 'plot' })
    // The last ones are sent in the second of the mention, which follows the topic.
    if (i < 9) busy.clock.advance(1000)
  }
  await cordelia.says('what now, @**hamlet**?', { topic: 'plot' })
  await m.w.restore(await busy.snapshot())
  const { text } = await one(m)
  assert.match(text, /step 2\n.*step 8\n.*step 11\n.*what now, @hamlet\?/s)
  assert.doesNotMatch(text, /long ago|step 1\n/)
  assert.equal(text.split('step 11').length, 2)
})

test('threads hold in mail programs when a topic is renamed, and differ by conversation', async () => {
  await using m = await mailWorld()
  const { cordelia, iago } = m
  const thread = async () => {
    const { headers } = await one(m)
    assert.match(headers.references!, /^<c\.[\w-]{24}@chat\.example\.com>$/)
    assert.equal(headers['in-reply-to'], headers.references)
    return headers.references
  }
  const { id } = await cordelia.says('@**hamlet**', { topic: 'plot' })
  const first = await thread()
  await iago.api.patch(`/messages/${id}`, { topic: 'new plot', propagate_mode: 'change_all' })
  await m.after(PERIOD)
  await m.sent()
  await cordelia.says('@**hamlet**', { topic: 'new plot' })
  assert.equal(await thread(), first)
  await cordelia.says('@**hamlet**', { topic: 'other' })
  assert.notEqual(await thread(), first)
})

test('the subject can name the organization, and group conversations name the others', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  await hamlet.api.patch('/settings', { realm_name_in_email_notifications_policy: 2 })
  await iago.api.patch('/settings', { enable_offline_email_notifications: false })
  await cordelia.says('psst', { people: [hamlet, iago] })
  assert.deepEqual(await missed(m), ['hamlet: Group DMs with iago, cordelia [Elsinore]'])
})

test('one click unsubscribes, without a cookie, a redirect or another question', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  const stream_id = await m.w.streamId('general')
  const data = [{ stream_id, property: 'email_notifications', value: true }]
  await hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: data })
  await cordelia.says('psst', { people: [hamlet] })
  const { headers, text } = await one(m)
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const link = /^<(https:\S+)>$/.exec(headers['list-unsubscribe']!)![1]!
  assert.equal(linksIn({ text }).at(-1), link)
  assert.match(link, /^https:\/\/chat\.example\.com\/accounts\/unsubscribe\/missed_messages\/\d+-[\w-]{43}$/)
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  for (let i = 0; i < 50; i++) await app.fetch(new Request(link, { method: i % 2 === 0 ? 'GET' : 'HEAD' }))
  assert.match(await (await app.fetch(new Request(link))).text(), /Stop these emails<\/button>/)
  await cordelia.says('still', { people: [hamlet] })
  assert.equal((await missed(m)).length, 1)

  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const done = await app.fetch(new Request(link, { method: 'POST', body }))
  assert.deepEqual([done.status, done.headers.get('set-cookie')], [200, null])
  await cordelia.says('psst @**hamlet**', { people: [hamlet] })
  await cordelia.says('word, @**hamlet**')
  assert.deepEqual(await missed(m), [])
  const wrong = await app.fetch(new Request(`${link.slice(0, -1)}_`, { method: 'POST', body }))
  assert.equal(wrong.status, 400)
})

test('messages from before email was configured, or from days without it, cause no emails', async () => {
  await using m = await mailWorld()
  await using plain = await world({ chat: { publicUrl: PUBLIC_URL } })
  await plain.people.cordelia.says('before', { people: [plain.people.hamlet] })
  await m.w.restore(await plain.snapshot())
  assert.deepEqual(await missed(m), [])
  await m.cordelia.says('psst', { people: [m.hamlet] })
  assert.equal((await missed(m)).length, 1)

  await plain.restore(await m.w.snapshot())
  await plain.people.cordelia.says('without email', { people: [plain.people.hamlet] })
  const days = await plain.snapshot()
  await m.w.restore({ ...days, now: days.now + 2 * 86_400_000 })
  assert.deepEqual(await missed(m), [])
})

test('a later attempt goes to the address that the account has by then', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia, iago } = m
  m.server(() => Promise.reject(failure('recipient', '451 Later')))
  await cordelia.says('psst', { people: [hamlet] })
  await m.after(PERIOD)
  await iago.api.patch(`/users/${hamlet.id}`, { new_email: 'prince@example.com' })
  m.server(() => {})
  await m.after(60)
  const [mail] = await m.sent()
  assert.equal(mail?.to.address, 'prince@example.com')
})

test('a topic name adds no headers', async () => {
  await using m = await mailWorld()
  const { cordelia } = m
  for (const topic of ['a\u202eb', 'x <eve@example.com>', '=?utf-8?q?x?=', '"quoted", more']) {
    await cordelia.says('@**hamlet**', { topic })
    const { subject, headers } = await one(m)
    assert.doesNotMatch(subject, /[\r\n\u202a-\u202e]/u)
    for (const value of Object.values(headers)) assert.doesNotMatch(value, /[\r\n]/)
  }
})

test('one email considers the newest thousand messages, and reads them together', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  const { id } = await cordelia.says('first', { people: [hamlet] })
  await cordelia.write(async (tx) => {
    const message = await tx.db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { id: _, ...first } = message
    const { id: __, ...candidate } = await tx.db.selectFrom('mail_candidate').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 1005 }, () => first)
    for (const { id: message_id } of await tx.db.insertInto('message').values(rows).returning('id').execute()) {
      await tx.db
        .insertInto('mail_candidate')
        .values({ ...candidate, message_id })
        .execute()
    }
  })
  assert.match((await one(m)).text, /And 950 more\./)
})
