import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import test from 'node:test'
import { webPushOf } from '../../src/core/messages/send/message-workers.ts'
import { actAs, addWebPushSubscription } from '../../src/index.ts'
import { AddressRefused, type PostAnswer } from '../../src/network/post.ts'
import { type Api, apiOf, world } from '../../src/testing/index.ts'
import { pushService, subscribedBrowser } from './browser.ts'

const PATH = '/users/me/web_push_subscriptions'
type Service = ReturnType<typeof pushService>

/** A world in which hamlet is notified. */
async function notified(service: Service = pushService()) {
  const w = await world({ chat: { outgoing: { post: service.post } } })
  const { hamlet } = w.people
  const browser = subscribedBrowser()
  assert.equal((await hamlet.api.post(PATH, browser.subscription)).status, 200)
  const settled = () => webPushOf(w.chat).settled()
  return {
    w,
    ...w.people,
    browser,
    service,
    settled,
    /** What was shown since the last look: titles, and texts. */
    async shown() {
      await settled()
      const notices = service.requests.splice(0).map(({ body }) => browser.decrypt(body) as Notice)
      return notices.map(({ title, body }) => `${title}: ${body}`)
    },
    /** The time passes, and the worker looks what is due. */
    async after(seconds: number) {
      w.clock.advance(seconds * 1000)
      webPushOf(w.chat).wake()
      await settled()
    },
  }
}
interface Notice {
  title: string
  body: string
  tag: string
  address: string
}
const subscriptionsOf = async (api: Api): Promise<{ endpoint: string }[]> => (await api.get(PATH)).subscriptions

test('sends a direct message signed and encrypted for the browser alone', async () => {
  const { w, hamlet, cordelia, browser, service, settled } = await notified()
  await using _ = w
  const { id } = await cordelia.says('To **you** alone', { people: [hamlet] })
  await settled()
  const [request] = service.requests
  assert.equal(service.requests.length, 1)
  assert.equal(request!.url, browser.subscription.endpoint)
  assert.deepEqual(browser.decrypt(request!.body), {
    title: 'cordelia',
    body: 'To you alone',
    tag: String(id),
    address: `/#narrow/dm/${cordelia.id}/near/${id}`,
  })
  assert.equal(request!.headers['content-encoding'], 'aes128gcm')
  assert.equal(Number(request!.headers.ttl) > 0, true)

  // The server shows that it is the one that the browser subscribed with.
  const { server_key } = await hamlet.api.get(PATH)
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(request!.headers.authorization!)!
  assert.equal(key, server_key)
  const [head, claims, signature] = token!.split('.') as [string, string, string]
  const point = Buffer.from(server_key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } })
  const ieee = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), ieee, Buffer.from(signature, 'base64url')))
  assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).aud, 'https://push.example.com')
})

test('a group conversation links to the address pages use for it', async () => {
  const { w, hamlet, cordelia, iago, browser, service, settled } = await notified()
  await using _ = w
  const { id } = await cordelia.says('To both', { people: [hamlet, iago] })
  await settled()
  const others = [cordelia.id, iago.id].sort((a, b) => a - b)
  const { address } = browser.decrypt(service.requests[0]!.body) as Notice
  assert.equal(address, `/#narrow/dm/${others.join('.2C')}/near/${id}`)
})

test("notifies about the same messages as the page's desktop notifications", async () => {
  const { w, hamlet, cordelia, iago, shown } = await notified()
  await using _ = w
  const says = async (content: string, where: Parameters<typeof cordelia.says>[1] = { topic: 'ghosts' }) => {
    await cordelia.says(content, where)
    return shown()
  }
  const stream_id = await w.streamId('general')
  const policy = (visibility_policy: number) =>
    hamlet.api.post('/user_topics', { stream_id, topic: 'ghosts', visibility_policy })
  const ofStream = (property: string, value: boolean) =>
    hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] })
  const set = (settings: Record<string, boolean>) => hamlet.api.patch('/settings', settings)

  assert.deepEqual(await says('nothing'), [])
  assert.deepEqual(await says('@**hamlet** look'), ['cordelia (general › ghosts): @hamlet look'])
  await policy(3)
  assert.deepEqual(await says('followed'), ['cordelia (general › ghosts): followed'])
  await set({ enable_followed_topic_desktop_notifications: false })
  assert.deepEqual(await says('followed'), [])
  await policy(0)
  await set({ enable_stream_desktop_notifications: true })
  assert.deepEqual(await says('all streams'), ['cordelia (general › ghosts): all streams'])
  await ofStream('desktop_notifications', false)
  assert.deepEqual(await says('not this one'), [])
  await set({ enable_stream_desktop_notifications: false })
  await ofStream('desktop_notifications', true)
  assert.deepEqual(await says('this one'), ['cordelia (general › ghosts): this one'])
  await policy(1)
  assert.deepEqual(await says('a muted topic'), [])
  assert.deepEqual(await says('@**hamlet** in it'), ['cordelia (general › ghosts): @hamlet in it'])
  await policy(0)
  await ofStream('is_muted', true)
  assert.deepEqual(await says('a muted stream'), [])
  await policy(2)
  assert.deepEqual(await says('an unmuted topic'), ['cordelia (general › ghosts): an unmuted topic'])

  await set({ pm_content_in_desktop_notifications: false })
  assert.deepEqual(await says('secret', { people: [hamlet] }), ['cordelia: New direct message'])
  assert.deepEqual(await says('between others', { people: [iago] }), [])
  await set({ enable_desktop_notifications: false })
  assert.deepEqual(await says('secret', { people: [hamlet] }), [])
  await hamlet.says('my own @**hamlet**')
  assert.deepEqual(await shown(), [])
})

test("doesn't notify active users unless they leave without reading", async () => {
  const { w, hamlet, cordelia, shown, after } = await notified()
  await using _ = w
  const isThere = () => hamlet.api.post('/users/me/presence', { status: 'active' })
  await isThere()
  await cordelia.says('seen?', { people: [hamlet] })
  assert.deepEqual(await shown(), [])
  await after(200)
  assert.deepEqual(await shown(), ['cordelia: seen?'])

  await isThere()
  const { id } = await cordelia.says('and read', { people: [hamlet] })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await after(200)
  assert.deepEqual(await shown(), [])

  await isThere()
  await cordelia.says('still there', { people: [hamlet] })
  await after(100)
  await isThere()
  await after(100)
  assert.deepEqual(await shown(), [])
  await after(200)
  assert.deepEqual(await shown(), [])
})

test('retries a failing push service with growing delays, then stops', async () => {
  let answer: () => PostAnswer = () => ({ status: 503, body: '' })
  const service = pushService(() => answer())
  const { w, hamlet, cordelia, shown, after } = await notified(service)
  await using _ = w
  await cordelia.says('again', { people: [hamlet] })
  assert.equal((await shown()).length, 1)
  await after(4)
  assert.equal((await shown()).length, 0)
  await after(1)
  assert.equal((await shown()).length, 1)
  answer = () => {
    throw new Error('the line is cut')
  }
  await after(30)
  assert.equal((await shown()).length, 1)
  answer = () => ({ status: 201, body: '' })
  await after(120)
  assert.deepEqual(await shown(), ['cordelia: again'])
  await after(4000)
  assert.equal((await shown()).length, 0)

  answer = () => ({ status: 429, body: '' })
  await cordelia.says('for ever', { people: [hamlet] })
  let attempts = (await shown()).length
  for (let i = 0; i < 10; i++) {
    await after(4000)
    attempts += (await shown()).length
  }
  assert.equal(attempts, 6)
  // A request that it rejects is given up immediately.
  answer = () => ({ status: 413, body: '' })
  await cordelia.says('too much', { people: [hamlet] })
  assert.equal((await shown()).length, 1)
  await after(4000)
  assert.equal((await shown()).length, 0)
  assert.equal((await subscriptionsOf(hamlet.api)).length, 1)
})

for (const status of [404, 410, 403]) {
  test(`a subscription ends when the push service answers ${status}`, async () => {
    const { w, hamlet, cordelia, shown } = await notified(pushService(() => ({ status, body: '' })))
    await using _ = w
    await cordelia.says('one', { people: [hamlet] })
    await cordelia.says('two', { people: [hamlet] })
    assert.equal((await shown()).length, 1)
    assert.deepEqual(await subscriptionsOf(hamlet.api), [])
    await cordelia.says('three', { people: [hamlet] })
    assert.deepEqual(await shown(), [])
  })
}

test('rejects a private address and removes its subscription', async () => {
  const refused = pushService(() => {
    throw new AddressRefused('10.0.0.1 is not on the public Internet')
  })
  const { w, hamlet, cordelia, settled } = await notified(refused)
  await using _ = w
  await cordelia.says('one', { people: [hamlet] })
  await settled()
  assert.deepEqual(await subscriptionsOf(hamlet.api), [])

  // So it is by the server's own way out, without anything in its place.
  await using real = await world({ chat: { outgoing: {} } })
  const { hamlet: ann, cordelia: bea } = real.people
  await ann.api.post(PATH, subscribedBrowser('http://127.0.0.1:9/push').subscription)
  await bea.says('one', { people: [ann] })
  await webPushOf(real.chat).settled()
  assert.deepEqual(await subscriptionsOf(ann.api), [])
})

test('a subscription ends with its session and its user', async () => {
  const { w, hamlet, cordelia, iago, shown } = await notified()
  await using _ = w
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  const session = await hamlet.api.post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  assert.equal((await hamlet.api.get(PATH)).subscriptions[0].current, true)
  await hamlet.api.delete(`/users/me/api_keys/${api_keys[0].id}`)
  await cordelia.says('gone', { people: [hamlet] })
  assert.deepEqual(await shown(), [])
  const again = apiOf(w.chat, { ...hamlet, key: session.api_key })
  assert.deepEqual(await subscriptionsOf(again), [])

  const browser = subscribedBrowser('https://push.example.com/other')
  await again.post(PATH, browser.subscription)
  await iago.api.delete(`/users/${hamlet.id}`)
  await cordelia.says('@**hamlet** deactivated')
  assert.deepEqual(await shown(), [])
})

test("a request whose session has just ended doesn't subscribe", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const late = await actAs(w.chat, { api_key: hamlet.key })
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  await hamlet.api.delete(`/users/me/api_keys/${api_keys[0].id}`)
  await assert.rejects(addWebPushSubscription(late, subscribedBrowser().subscription), { code: 'INVALID_API_KEY' })
})

test('a browser belongs to its latest subscriber, and a user has at most twenty', async () => {
  const { w, hamlet, cordelia, browser } = await notified()
  await using _ = w
  await hamlet.api.post(PATH, browser.subscription)
  assert.equal((await subscriptionsOf(hamlet.api)).length, 1)
  await cordelia.api.post(PATH, browser.subscription)
  assert.deepEqual(await subscriptionsOf(hamlet.api), [])
  const { endpoint } = browser.subscription
  assert.equal((await hamlet.api.delete(PATH, { endpoint })).msg, 'No such subscription')
  assert.equal((await cordelia.api.delete(PATH, { endpoint })).status, 200)
  for (let i = 0; i < 21; i++)
    await hamlet.api.post(PATH, subscribedBrowser(`https://push.example.com/${i}`).subscription)
  const all = await subscriptionsOf(hamlet.api)
  assert.equal(all.length, 20)
  assert.equal(all[0]!.endpoint, 'https://push.example.com/1')
})

test('rejects an invalid subscription', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { subscription } = subscribedBrowser()
  const refused = async (changes: object) => (await hamlet.api.post(PATH, { ...subscription, ...changes })).msg
  assert.equal(await refused({ endpoint: 'ftp://push.example.com' }), 'endpoint is not a URL')
  assert.equal(await refused({ endpoint: `https://push.example.com/${'x'.repeat(2000)}` }), 'endpoint is not a URL')
  assert.equal(await refused({ p256dh: 'abc' }), 'p256dh is not a public key')
  assert.equal(await refused({ auth: 'abc' }), 'auth is not a secret of 16 bytes')
})
