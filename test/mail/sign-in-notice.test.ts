import assert from 'node:assert/strict'
import test from 'node:test'
import { failedSignInsOf } from '../../src/core/accounts/failed-sign-ins.ts'
import { removeOldDevices } from '../../src/core/accounts/known-devices.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { beginSession, completeSession } from '../../src/core/accounts/sessions.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { fetchApiKey } from '../../src/index.ts'
import { type MailWorld, mailWorld } from './mail-world.ts'

const DAY = 86_400
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** Signs hamlet in from an address, as a browser. */
const signIn = (
  m: MailWorld,
  address: string | undefined,
  { name, user_agent = firefox }: Record<string, string> = {},
) =>
  beginSession(contextOf(m.w.chat, { ...(address !== undefined && { address }) }), {
    username: m.hamlet.email,
    password: m.hamlet.password,
    name,
    user_agent,
  })
const subjects = async (m: MailWorld) => (await m.sent()).map(({ subject }) => subject)

test('a new device is announced with its name, address and time, and the first one is not', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  assert.deepEqual(await m.sent(), [])
  await m.hamlet.api.patch('/settings', { timezone: 'Europe/Berlin', twenty_four_hour_time: true })
  await signIn(m, '203.0.113.9', { user_agent: firefox.replace('X11; Linux x86_64', 'Windows NT 10.0') })
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  assert.equal(mail!.to.address, m.hamlet.email)
  assert.equal(mail!.subject, 'New sign-in to Elsinore')
  assert.match(mail!.text, /in Elsinore from the address 203\.0\.113\.9\.\n\nDevice: Firefox on Windows\nTime: .*GMT\+/)
  assert.match(mail!.text, /Review your sessions:\nhttps:\/\/chat\.example\.com\/#settings\/sessions/)
  assert.match(mail!.html, /Device: Firefox on Windows<br>Time: /)
  assert.equal(mail!.headers['list-unsubscribe'], undefined)
})

test('a device that signed in before is not announced, also with another address of its network', async () => {
  await using m = await mailWorld()
  for (const address of ['192.0.2.7', '192.0.2.200', '::ffff:192.0.2.9']) await signIn(m, address)
  assert.deepEqual(await subjects(m), [])
  await signIn(m, '2001:db8:1:2::7')
  assert.equal((await subjects(m)).length, 1)
  for (const address of ['2001:db8:1:ffff::1', '2001:0db8:0001:0::1%eth0']) await signIn(m, address)
  assert.deepEqual(await subjects(m), [])
  for (const address of ['2001:db8:2::1', '::1', 'command line']) await signIn(m, address)
  assert.equal((await subjects(m)).length, 3)
})

test('programs with a password are devices too, and a sign-in without an address has none', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  const credentials = { username: m.hamlet.email, password: m.hamlet.password }
  await fetchApiKey(contextOf(m.w.chat, { client: 'ZulipMobile' }), credentials)
  const [mail] = await m.sent()
  assert.match(mail!.text, /in Elsinore\.\n\nDevice: ZulipMobile\n/)
})

test('the name of a device adds no links, lines or tags', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  for (const name of [
    'Your account is closed, see https://evil.example/help',
    'x\r\nBcc: eve@example.com\r\n\r\n<a href="//evil.example">',
    '<img src=x onerror=alert(1)>\u202e',
    '😀🏁…',
  ]) {
    await signIn(m, '203.0.113.9', { name })
    const [mail] = await m.sent()
    assert.match(mail!.text, /\nDevice: [\p{L}\p{N} _-]{1,40}\nTime/u)
    assert.ok(!`${mail!.text}${mail!.html}`.includes('evil.example'), name)
    assert.ok(!mail!.html.includes('<img'), name)
  }
})

test('revoking the new session right away does not stop the email', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  m.server(() => Promise.reject(new Error('down')))
  await signIn(m, '203.0.113.9')
  await m.hamlet.api.delete('/users/me/api_keys')
  m.server(() => {})
  await m.after(600)
  assert.deepEqual(await subjects(m), ['New sign-in to Elsinore'])
})

test('with a second factor, the device is announced once the code was right', async () => {
  await using m = await mailWorld()
  const { hamlet, w } = m
  await signIn(m, '192.0.2.7')
  const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
  const code = () => codeOf(secret, stepAt(w.clock.now() / 1000))
  await hamlet.api.post('/users/me/totp/confirm', { code: code() })
  const asked = await signIn(m, '203.0.113.9', { name: 'Phone' }).catch((error) => error)
  assert.equal(asked.code, 'SECOND_FACTOR_REQUIRED')
  assert.deepEqual(await subjects(m), [])
  w.clock.advance(60_000)
  const visitor = contextOf(w.chat, { address: '203.0.113.9' })
  await completeSession(visitor, { ticket: asked.data.ticket, code: code() })
  assert.match((await m.sent())[0]!.text, /Device: Phone\n/)
})

test('signing out everywhere makes every other device a new one', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  await signIn(m, '203.0.113.9')
  await m.sent()
  await m.hamlet.api.delete('/users/me/api_keys')
  await signIn(m, '203.0.113.9')
  assert.deepEqual(await subjects(m), ['New sign-in to Elsinore'])
})

test('a device is forgotten after a year without a sign-in', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  await signIn(m, '203.0.113.9')
  m.w.clock.advance(300 * DAY * 1000)
  await signIn(m, '192.0.2.7')
  m.w.clock.advance(100 * DAY * 1000)
  await removeOldDevices(m.w.chat)
  assert.equal((await storeOf(m.w.chat).db.selectFrom('known_device').select('id').execute()).length, 1)
})

test('a deactivated account gets no notices', async () => {
  await using m = await mailWorld()
  await signIn(m, '192.0.2.7')
  m.server(() => Promise.reject(new Error('down')))
  await signIn(m, '203.0.113.9')
  await guess(m, 12)
  await m.iago.api.delete(`/users/${m.hamlet.id}`)
  m.server(() => {})
  await m.after(600)
  assert.deepEqual(await subjects(m), [])
})

/** Tries wrong passwords, each from another address. */
async function guess(m: MailWorld, times: number) {
  for (let i = 0; i < times; i++) {
    const visitor = contextOf(m.w.chat, { address: `198.51.100.${i}` })
    await assert.rejects(fetchApiKey(visitor, { username: m.hamlet.email, password: `wrong horse ${i}` }))
  }
  await failedSignInsOf(m.w.chat).flush()
}

test('many failed sign-ins from many addresses send one email a day', async () => {
  await using m = await mailWorld()
  await guess(m, 9)
  assert.deepEqual(await m.sent(), [])
  await guess(m, 3)
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  assert.equal(mail!.to.address, m.hamlet.email)
  assert.equal(mail!.subject, 'Many failed sign-ins to your account in Elsinore')
  assert.match(mail!.text, /^Hello hamlet,\n\n12 sign-ins to your account/)
  await guess(m, 20)
  assert.deepEqual(await m.sent(), [])
  await m.after(DAY)
  await guess(m, 10)
  assert.equal((await m.sent()).length, 1)
})

test('failed sign-ins spread over a day, or with unknown names, send no email', async () => {
  await using m = await mailWorld()
  for (let i = 0; i < 4; i++) {
    await guess(m, 4)
    m.w.clock.advance(3600_000)
  }
  const visitor = contextOf(m.w.chat)
  for (let i = 0; i < 20; i++)
    await assert.rejects(fetchApiKey(visitor, { username: 'nobody@example.com', password: 'wrong horse' }))
  await failedSignInsOf(m.w.chat).flush()
  assert.deepEqual(await m.sent(), [])
})

test('people who want no emails about sign-ins get none about failed ones either', async () => {
  await using m = await mailWorld()
  await m.hamlet.api.patch('/settings', { enable_login_emails: false })
  await guess(m, 12)
  assert.deepEqual(await m.sent(), [])
})
