import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { linksIn, type MailWorld, mailWorld } from './mail-world.ts'

const missed = async (m: MailWorld): Promise<Mail[]> => {
  await m.after(120)
  return m.sent()
}
const follow = async (m: MailWorld, topic: string) =>
  m.hamlet.api.post('/user_topics', { stream_id: await m.w.streamId('general'), topic, visibility_policy: 3 })
const headerLink = ({ headers }: Mail) => /^<(https:\S+)>$/.exec(headers['list-unsubscribe']!)![1]!
const topicLink = (mail: Mail) => linksIn(mail).find((link) => link.includes('/unsubscribe/topic/'))
const fetcher = (m: MailWorld) => {
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  return async (link: string, init: RequestInit = {}) => {
    const response = await app.fetch(new Request(link, init))
    return { status: response.status, cookie: response.headers.get('set-cookie'), html: await response.text() }
  }
}
const ONE_CLICK = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }

test('one click on an email about a followed topic mutes it, and other emails keep coming', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  const fetch = fetcher(m)
  await follow(m, 'plays')
  await follow(m, 'ghosts')
  await cordelia.says('Macbeth?', { topic: 'plays' })
  const [mail] = await missed(m)
  const link = headerLink(mail!)
  assert.equal(mail!.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.match(link, /^https:\/\/chat\.example\.com\/accounts\/unsubscribe\/topic\/\d+-\d+-[\w-]{43}$/)
  assert.equal(topicLink(mail!), link)
  // Mail servers open links, so only the button changes something.
  for (let i = 0; i < 20; i++) assert.equal((await fetch(link, { method: i % 2 === 0 ? 'GET' : 'HEAD' })).status, 200)
  assert.match((await fetch(link)).html, /Mute this topic<\/button>/)
  await cordelia.says('Othello?', { topic: 'plays' })
  assert.equal((await missed(m)).length, 1)

  const done = await fetch(link, ONE_CLICK)
  assert.deepEqual([done.status, done.cookie], [200, null])
  const { user_topics } = await hamlet.api.post('/register', { event_types: ['user_topic'] })
  assert.deepEqual(
    user_topics.map(({ topic_name, visibility_policy }: Record<string, unknown>) => [topic_name, visibility_policy]),
    [
      ['ghosts', 3],
      ['plays', 1],
    ],
  )
  await cordelia.says('Hamlet?', { topic: 'plays' })
  await cordelia.says('boo', { topic: 'ghosts' })
  await cordelia.says('psst', { people: [hamlet] })
  assert.deepEqual((await missed(m)).map(({ subject }) => subject).sort(), ['#general > ghosts', 'DMs with cordelia'])
  // A second click changes nothing.
  assert.equal((await fetch(link, ONE_CLICK)).status, 200)
})

test('an email about a mention links to both, and its header stops all emails, because mentions still arrive', async () => {
  await using m = await mailWorld()
  const { cordelia } = m
  const fetch = fetcher(m)
  await cordelia.says('look, @**hamlet**', { topic: 'ghosts' })
  const [mail] = await missed(m)
  assert.match(headerLink(mail!), /\/unsubscribe\/missed_messages\//)
  assert.equal((await fetch(topicLink(mail!)!, ONE_CLICK)).status, 200)
  await cordelia.says('nobody is called', { topic: 'ghosts' })
  assert.deepEqual(await missed(m), [])
  await cordelia.says('but @**hamlet** is', { topic: 'ghosts' })
  assert.equal((await missed(m)).length, 1)
})

test('an email that waits is dropped if its topic is muted by then', async () => {
  await using m = await mailWorld()
  await follow(m, 'plays')
  await m.cordelia.says('Macbeth?', { topic: 'plays' })
  await m.settled()
  const stream_id = await m.w.streamId('general')
  await m.hamlet.api.post('/user_topics', { stream_id, topic: 'plays', visibility_policy: 1 })
  assert.deepEqual(await missed(m), [])
})

test('direct messages and emails without content have no link to a topic', async () => {
  await using m = await mailWorld()
  const { hamlet, cordelia } = m
  await cordelia.says('psst', { people: [hamlet] })
  await hamlet.api.patch('/settings', { message_content_in_email_notifications: false })
  await follow(m, 'plays')
  await cordelia.says('Macbeth?', { topic: 'plays' })
  for (const mail of await missed(m)) {
    assert.equal(topicLink(mail), undefined)
    assert.match(headerLink(mail), /\/unsubscribe\/missed_messages\//)
  }
})

test('a link for another topic, of another person, of another kind or to a lost channel does nothing', async () => {
  await using m = await mailWorld()
  const { hamlet, iago, cordelia } = m
  const fetch = fetcher(m)
  const { id: stream_id } = await iago.api.post('/channels/create', {
    ...{ name: 'secret', invite_only: true, subscribers: [iago.id, hamlet.id, cordelia.id] },
  })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'plays', visibility_policy: 3 })
  await iago.says('Macbeth?', { stream: 'secret', topic: 'plays' })
  const [mail] = await missed(m)
  const link = topicLink(mail!)!
  const [, user, topic, digest] = /topic\/(\d+)-(\d+)-(.*)$/.exec(link)!
  const base = link.slice(0, link.lastIndexOf('/topic/'))
  for (const wrong of [
    `${base}/topic/${user}-${Number(topic) + 1}-${digest}`,
    `${base}/topic/${cordelia.id}-${topic}-${digest}`,
    `${base}/topic/${user}-${digest}`,
    `${base}/digest/${user}-${topic}-${digest}`,
    `${base}/missed_messages/${user}-${digest}`,
    `${link.slice(0, -1)}_`,
  ])
    assert.equal((await fetch(wrong, ONE_CLICK)).status, 400, wrong)
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['secret'], principals: [hamlet.id] })
  const lost = await fetch(link, ONE_CLICK)
  assert.equal(lost.status, 400)
  assert.ok(!lost.html.includes('plays') && !lost.html.includes('secret'))
})
