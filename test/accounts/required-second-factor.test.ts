import assert from 'node:assert/strict'
import test from 'node:test'
import { encode } from 'uqr'
import { runCommand } from '../../src/admin/commands.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { noteVerified } from '../../src/core/accounts/verified-email.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { apiOf } from '../../src/testing/index.ts'
import { ann, type Browser, type Scene, scene } from '../sign-on/scene.ts'

const own = { 'x-requested-with': 'test' }
const DAY = 86_400_000
const PAGE = /^\/accounts\/login\/set_up\?step=[A-Za-z0-9]{32}$/

/** A scene where a second factor is required for these roles. */
async function requiring(value: string, options: Parameters<typeof scene>[0] = {}) {
  const s = await scene(options)
  await s.w.iago.api.patch('/realm', { second_factor_required_for: value })
  return s
}
const codeFor = (s: Scene, secret: string) => codeOf(secret, stepAt(s.clock.now() / 1000))
const passwordOf = (s: Scene, browser: Browser, { email, password } = s.w.hamlet) =>
  browser.open('/json/session', { username: email, password }, own)
/** Returns the page that the answer to a right password names. */
const pageIn = (html: string): string => {
  const { code, methods, url, ticket } = JSON.parse(html)
  assert.deepEqual([code, methods, ticket], ['SECOND_FACTOR_REQUIRED', ['set_up'], undefined])
  assert.match(url, PAGE)
  return url
}
const secretIn = (html: string): string => /<code>([A-Z2-7 ]{32,})<\/code>/.exec(html)![1]!.replaceAll(' ', '')

test('people have seven days, and a message says until when', async () => {
  await using s = await requiring('members')
  const { hamlet } = s.w
  assert.equal((await passwordOf(s, s.browser())).status, 200)
  const notices = async () => {
    const { messages } = await hamlet.api.get('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      apply_markdown: false,
    })
    return (messages as { content: string }[]).filter(({ content }) => content.includes('second factor'))
  }
  const [notice, ...more] = await notices()
  assert.deepEqual(more, [])
  const from = new Date(Math.floor(s.clock.now() / 1000) * 1000 + 7 * DAY).toISOString()
  assert.ok(notice!.content.includes(`<time:${from}>`), notice!.content)
  s.clock.advance(7 * DAY - 1000)
  assert.equal((await passwordOf(s, s.browser())).status, 200)
  s.clock.advance(1000)
  assert.equal((await passwordOf(s, s.browser())).status, 403)
  // Keys that exist keep working, and people of lower roles, bots and new accounts sign in.
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
  assert.equal((await passwordOf(s, s.browser(), s.w.people.polonius)).status, 200)
  const young = { email: 'young@example.com', full_name: 'Young', password: 'correct horse' }
  await s.w.iago.api.post('/users', young)
  assert.equal((await passwordOf(s, s.browser(), young as never)).status, 200)
})

test('after that, signing in to the web client begins with setting it up', async () => {
  await using s = await requiring('everyone')
  s.clock.advance(8 * DAY)
  const browser = s.browser()
  const page = pageIn((await passwordOf(s, browser)).html)
  assert.equal(browser.session(), undefined)
  const { html } = await browser.open(page)
  const secret = secretIn(html)
  const uri = /href="(otpauth:\/\/totp\/[^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&')
  // Cameras read the same address that the link opens.
  const { data, size } = encode(uri, { border: 4 })
  const drawn = new Set([...html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) assert.equal(drawn.has(`${x} ${y}`), data[y]![x], `${x} ${y}`)
  assert.match(html, /<svg role="img" aria-label="QR code/)
  assert.equal(secretIn((await browser.open(page)).html), secret)
  const wrong = await browser.open(page, { code: '000000' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.html, /Wrong code/)
  assert.equal(browser.session(), undefined)
  const done = await browser.open(page, { code: codeFor(s, secret) })
  assert.equal(done.status, 200)
  assert.equal(done.html.match(/<code>[A-Z2-7]{5}-[A-Z2-7]{5}<\/code>/g)?.length, 10)
  assert.equal((await browser.me()).user_id, s.w.hamlet.id)
  // The ticket is used up, and the next sign-in asks for the code.
  assert.equal((await s.browser().open(page)).status, 401)
  assert.equal((await s.browser().open(page, { code: codeFor(s, secret) })).status, 401)
  const { code, methods } = JSON.parse((await passwordOf(s, s.browser())).html)
  assert.deepEqual([code, methods], ['SECOND_FACTOR_REQUIRED', ['totp', 'recovery_code']])
  const { entries } = await s.w.iago.api.get('/audit', {
    subject_kind: 'user',
    subject_id: s.w.hamlet.id,
    outcome: 'ok',
    count: 2,
  })
  assert.deepEqual(
    (entries as { action: string }[]).map(({ action }) => action),
    ['signIn', 'confirmOwnTotp'],
  )
})

test('attack: guessing the code, old tickets, other sites, and tickets of accounts that have one', async () => {
  await using s = await requiring('members')
  s.clock.advance(8 * DAY)
  const browser = s.browser()
  const page = pageIn((await passwordOf(s, browser)).html)
  const secret = secretIn((await browser.open(page)).html)
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await browser.open(page, { code: codeFor(s, secret) }, { 'sec-fetch-site': site })).status, 400)
  for (let i = 0; i < 5; i++) assert.equal((await browser.open(page, { code: '000000' })).status, 401)
  assert.equal((await browser.open(page, { code: codeFor(s, secret) })).status, 401)
  assert.equal(browser.session(), undefined)

  const late = pageIn((await passwordOf(s, browser)).html)
  const lateSecret = secretIn((await browser.open(late)).html)
  s.clock.advance(600_000)
  assert.equal((await browser.open(late, { code: codeFor(s, lateSecret) })).status, 401)

  // Without the page, the ticket of the page opens nothing.
  const again = pageIn((await passwordOf(s, browser)).html)
  const ticket = new URLSearchParams(again.split('?')[1]).get('step')!
  const code = codeFor(s, secretIn((await browser.open(again)).html))
  assert.equal((await browser.open('/json/session/second_factor', { ticket, code }, own)).status, 401)
  // And a ticket for the code of a second factor replaces nothing.
  await browser.open(again, { code })
  const waiting = JSON.parse((await passwordOf(s, s.browser())).html).ticket
  assert.equal((await s.browser().open(`/accounts/login/set_up?step=${waiting}`)).status, 401)
  assert.equal((await s.browser().open(`/accounts/login/set_up?step=${waiting}`, { code })).status, 401)
})

test('no way around it: apps, the key page, and changes of role', async () => {
  await using s = await requiring('administrators')
  const { hamlet, iago } = s.w
  const browser = s.browser()
  await passwordOf(s, browser)
  s.clock.advance(8 * DAY)
  await passwordOf(s, browser)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 200 })
  const { email: username, password } = hamlet
  const refused = await apiOf(s.w.chat).post('/fetch_api_key', { username, password })
  assert.deepEqual([refused.status, refused.code], [401, 'AUTHENTICATION_FAILED'])
  assert.match(refused.msg, /requires a second factor/)
  const shown = await browser.open('/accounts/key', {})
  assert.equal(shown.status, 401)
  assert.doesNotMatch(shown.html, /zuliprc/)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 400 })
  assert.equal((await apiOf(s.w.chat).post('/fetch_api_key', { username, password })).status, 200)
})

test('with a provider, it is set up here unless the provider asks for one', async () => {
  for (const second_factor of ['ask', 'provided']) {
    await using s = await requiring('everyone', { provider: { second_factor } })
    const { hamlet } = s.w
    await contextOf(s.w.chat).write((tx) => noteVerified(tx, hamlet.id))
    s.clock.advance(8 * DAY)
    const browser = s.browser()
    const { location } = await browser.signIn({ ...ann, email: hamlet.email })
    if (second_factor === 'provided') {
      assert.equal(location, '/')
      continue
    }
    assert.match(location!, PAGE)
    assert.equal(browser.session(), undefined)
    const secret = secretIn((await browser.open(location!)).html)
    await browser.open(location!, { code: codeFor(s, secret) })
    assert.equal((await browser.me()).user_id, hamlet.id)
  }
})

test('an owner for emergencies gets in, and the command removes a lost one', async () => {
  await using s = await requiring('everyone', { file: { passwords: 'break_glass', break_glass: ['iago@example.com'] } })
  const { iago } = s.w
  s.clock.advance(8 * DAY)
  const browser = s.browser()
  const page = pageIn((await passwordOf(s, browser, iago)).html)
  await browser.open(page, { code: codeFor(s, secretIn((await browser.open(page)).html)) })
  assert.equal((await browser.me()).user_id, iago.id)
  await runCommand(s.w.chat, 'resetFactor', { email: iago.email }, () => {})
  assert.match(pageIn((await passwordOf(s, s.browser(), iago)).html), PAGE)
})

test('only owners change it, by its names', async () => {
  await using s = await scene()
  const { iago, hamlet } = s.w
  assert.equal((await hamlet.api.patch('/realm', { second_factor_required_for: 'members' })).status, 400)
  const wrong = await iago.api.patch('/realm', { second_factor_required_for: 'admins' })
  assert.equal(wrong.msg, 'Invalid second_factor_required_for')
  await runCommand(s.w.chat, 'setSetting', { name: 'second_factor_required_for', value: 'owners' }, () => {})
  const { realm_second_factor_required_for } = await iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(realm_second_factor_required_for, 'owners')
})
