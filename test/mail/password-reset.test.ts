import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { authenticate, issuePasswordLink } from '../../src/index.ts'
import { apiOf, testServer, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { failure, linksIn, type MailWorld, mailWorld, PUBLIC_URL } from './mail-world.ts'

const HOUR = 3600

const ask = (m: MailWorld, email: string, headers: Record<string, string> = {}) =>
  createApp({ chat: m.w.chat, rateLimit: false }).fetch(
    new Request(`${PUBLIC_URL}/api/v1/password_reset`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ email }),
    }),
  )
/** Asks for a link, and returns the token in the email; undefined without an email. */
async function tokenFor(m: MailWorld, email: string): Promise<string | undefined> {
  assert.equal((await ask(m, email)).status, 200)
  const [mail] = await m.sent()
  return mail && new URL(linksIn(mail)[0]!).searchParams.get('token')!
}
const setPassword = (m: MailWorld, token: string, password = 'another horse') =>
  apiOf(m.w.chat).post('/password_link', { token, password })
const signIn = async (m: MailWorld, username: string, password: string) =>
  (await apiOf(m.w.chat).post('/fetch_api_key', { username, password })).status

test('sets a new password once, and signs out everywhere', async () => {
  await using m = await mailWorld()
  const token = (await tokenFor(m, m.hamlet.email))!
  assert.ok(await authenticate(m.w.chat, m.hamlet.email, m.hamlet.key))
  assert.equal((await setPassword(m, token)).status, 200)
  assert.equal(await authenticate(m.w.chat, m.hamlet.email, m.hamlet.key), undefined)
  assert.equal(await signIn(m, m.hamlet.email, 'another horse'), 200)
  assert.equal((await setPassword(m, token, 'third horse')).code, 'BAD_PASSWORD_LINK')
})

test('names the person and the account, and has no unsubscribe link', async () => {
  await using m = await mailWorld()
  await ask(m, m.hamlet.email)
  const [mail] = await m.sent()
  assert.deepEqual(mail!.to, { name: 'hamlet', address: m.hamlet.email })
  assert.equal(mail!.subject, 'Reset your password for Elsinore')
  assert.match(mail!.text, /^Hello hamlet,\n\nSomeone asked to reset the password/)
  assert.equal(mail!.headers['list-unsubscribe'], undefined)
})

test('answers alike whether or not the account exists, before it looks for the account', async () => {
  await using m = await mailWorld()
  await m.iago.api.delete(`/users/${m.polonius.id}`)
  const answers = []
  for (const email of [m.hamlet.email, 'nobody@example.com', m.polonius.email, 'notification-bot@chat.invalid']) {
    const response = await ask(m, email)
    const kept = ['content-type', 'content-length', 'cache-control'].map((name) => response.headers.get(name))
    answers.push([response.status, await response.text(), ...kept])
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.deepEqual(
    (await m.sent()).map(({ to }) => to.address),
    [m.hamlet.email],
  )
})

test('mails the stored address, never the typed one, and has no twins in Unicode', async () => {
  await using m = await mailWorld()
  await ask(m, m.hamlet.email.toUpperCase())
  assert.deepEqual(
    (await m.sent()).map(({ to }) => to.address),
    [m.hamlet.email],
  )
  await m.iago.api.post('/users', { email: 'mike@example.org', full_name: 'Mike', password: 'correct horse' })
  const twins = ['mi\u212ae@example.org', 'm\u0131ke@example.org', '\uff4dike@example.org']
  for (const twin of twins) await ask(m, twin)
  for (const list of ['mike@example.org,eve@example.org', 'mike@example.org\r\nBcc: eve@example.org', ' ']) {
    assert.equal((await ask(m, list)).status, 400, list)
  }
  assert.deepEqual(await m.sent(), [])
  // A domain is the same however it is spelled.
  await ask(m, 'mike@example\u3002org')
  assert.deepEqual(
    (await m.sent()).map(({ to }) => to.address),
    ['mike@example.org'],
  )
})

test('links go to the public URL, whatever the request names', async () => {
  await using m = await mailWorld()
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    origin: 'https://evil.example',
  }
  await ask(m, m.hamlet.email, evil)
  const [mail] = await m.sent()
  assert.match(linksIn(mail!)[0]!, /^https:\/\/chat\.example\.com\/password\?token=[\w-]{43}$/)
  assert.ok(!`${mail!.text}${mail!.html}`.includes('evil'))
})

test('neither an absolute request target nor the headers of a trusted proxy change links', async () => {
  const texts: string[] = []
  const send = async ({ text }: { text: string }) => {
    texts.push(text)
    return '250 OK'
  }
  await using server = await testServer({
    publicUrl: PUBLIC_URL,
    mail: { from: 'chat@example.com', send },
    trustProxy: true,
  })
  const { hostname, port } = new URL(server.url)
  const body = new URLSearchParams({ email: server.people.hamlet.email }).toString()
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-for': '192.0.2.7',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const status = await new Promise((resolve, reject) => {
    const options = { hostname, port, method: 'POST', path: 'http://evil.example/api/v1/password_reset', headers }
    const sending = request(options, (response) => resolve(response.resume().statusCode))
    sending.on('error', reject).end(body)
  })
  // The server may reject such a target.
  if (status === 200) await eventually('an email was sent', () => texts.length === 1)
  await apiOf(server.chat).post('/password_reset', { email: server.people.cordelia.email })
  await eventually('another email was sent', () => texts.length === (status === 200 ? 2 : 1))
  for (const text of texts) assert.match(text, /https:\/\/chat\.example\.com\/password\?token=/)
  assert.ok(!texts.join().includes('evil'))
})

test('expires after an hour, also while the mail server is down', async () => {
  await using m = await mailWorld()
  const token = (await tokenFor(m, m.hamlet.email))!
  m.w.clock.advance(HOUR * 1000)
  assert.equal((await setPassword(m, token)).code, 'BAD_PASSWORD_LINK')

  m.server(() => Promise.reject(failure('connection', '')))
  await ask(m, m.hamlet.email)
  await m.settled()
  m.server(() => {})
  await m.after(HOUR)
  assert.deepEqual(await m.sent(), [])
})

test('opening the link changes nothing, so mail scanners can do it', async () => {
  await using m = await mailWorld()
  const token = (await tokenFor(m, m.hamlet.email))!
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  for (let i = 0; i < 50; i++) {
    const method = i % 2 === 0 ? 'GET' : 'HEAD'
    const headers = { purpose: 'prefetch', 'sec-purpose': 'prefetch' }
    await app.fetch(new Request(`${PUBLIC_URL}/password?token=${token}`, { method, headers }))
  }
  assert.equal((await setPassword(m, token)).status, 200)
})

test('another request revokes neither an earlier link nor the link of an administrator', async () => {
  await using m = await mailWorld()
  const { path } = await m.iago.write((tx) => issuePasswordLink(tx, m.hamlet.id))
  const first = (await tokenFor(m, m.hamlet.email))!
  const second = (await tokenFor(m, m.hamlet.email))!
  const read = async (token: string) => (await apiOf(m.w.chat).get('/password_link', { token })).status
  const all = [new URL(path, PUBLIC_URL).searchParams.get('token')!, first, second]
  assert.deepEqual(await Promise.all(all.map(read)), [200, 200, 200])
  await setPassword(m, second)
  assert.deepEqual(await Promise.all(all.map(read)), [400, 400, 400])
})

test('ends with the address that it was sent to', async () => {
  await using m = await mailWorld()
  const token = (await tokenFor(m, m.hamlet.email))!
  await m.iago.api.patch(`/users/${m.hamlet.id}`, { new_email: 'prince@example.com' })
  assert.equal((await setPassword(m, token)).code, 'BAD_PASSWORD_LINK')
})

test('an account gets at most two emails an hour and five a day', async () => {
  await using m = await mailWorld()
  const perHour = []
  for (let hour = 0; hour < 6; hour++) {
    for (let i = 0; i < 3; i++) await ask(m, m.hamlet.email)
    perHour.push((await m.sent()).length)
    m.w.clock.advance(HOUR * 1000)
  }
  assert.deepEqual(perHour, [2, 2, 1, 0, 0, 0])
})

test('an address asks at most five times a day', async () => {
  await using m = await mailWorld()
  const app = createApp({ chat: m.w.chat })
  const statuses = []
  for (let i = 0; i < 7; i++) {
    const body = new URLSearchParams({ email: `p${i}@example.com` })
    const path = i % 2 === 0 ? '/json/password_reset' : '/accounts/password/reset/'
    statuses.push((await app.fetch(new Request(PUBLIC_URL + path, { method: 'POST', body }))).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
})

test('a second attempt has the same link, and none after it was used', async () => {
  await using m = await mailWorld()
  const tried: string[] = []
  m.server((mail) => {
    tried.push(linksIn(mail)[0]!)
    throw failure('recipient', '451 Greylisted')
  })
  await ask(m, m.hamlet.email)
  await m.settled()
  await m.after(60)
  assert.equal(tried.length, 2)
  assert.equal(tried[0], tried[1])
  // The server accepted it although it said otherwise.
  await setPassword(m, new URL(tried[0]!).searchParams.get('token')!)
  await m.after(300)
  assert.equal(tried.length, 2)
})

test('says that email is not configured', async () => {
  await using w = await world()
  const api = apiOf(w.chat)
  const { status, code } = await api.post('/password_reset', { email: 'hamlet@example.com' })
  assert.deepEqual([status, code], [400, 'MAIL_NOT_CONFIGURED'])
  assert.equal((await api.get('/server_settings')).sends_email, false)
  const page = await createApp({ chat: w.chat, rateLimit: false }).fetch(
    new Request('http://localhost/accounts/password/reset/'),
  )
  assert.equal(page.status, 400)
  assert.match(await page.text(), /send email. Start it with/)
})

test('the page asks for an address and shows the same for every account', async () => {
  await using m = await mailWorld({ url: 'https://chat.example.com/team' })
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  const at = (init?: RequestInit) =>
    app.fetch(new Request('https://chat.example.com/team/accounts/password/reset/', init))
  const form = await at()
  assert.match(await form.text(), /<form method="post">.*type="email".*href="\/team\/"/s)
  const post = async (email: string) => (await at({ method: 'POST', body: new URLSearchParams({ email }) })).text()
  const known = await post(m.hamlet.email)
  assert.match(known, /has an account here, we sent it a link/)
  assert.equal((await post('nobody@example.com')).replace('nobody@example.com', m.hamlet.email), known)
  const wrong = await post('<script>alert(1)</script>')
  assert.match(wrong, /role="alert">Enter a valid email address\./)
  assert.ok(!wrong.includes('<script>'))
  assert.match(linksIn((await m.sent())[0]!)[0]!, /^https:\/\/chat\.example\.com\/team\/password\?token=/)
})
