import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { MailFailed } from '../../src/network/mail/mail-failed.ts'
import { apiOf, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn } from './gestures.ts'

browserTest('sets up an authenticator app, and signs in with its codes and a recovery code', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/account')
  const code = (secret: string) => codeOf(secret, stepAt(server.clock.now() / 1000))
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Set up an authenticator app' }) })
  await form.getByLabel('password').fill(hamlet.password)
  await form.getByRole('button').click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = (await page.locator('form code').textContent())!
  await page.getByLabel('Code', { exact: true }).fill(code(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  const codes = (await dialog.getByRole('textbox').inputValue()).split('\n')
  assert.equal(codes.length, 10)
  await page.keyboard.press('Escape')
  await page.getByText('You have 10 recovery codes left.').waitFor()

  for (const [given, left] of [
    ['app', 10],
    ['recovery', 9],
  ] as const) {
    server.clock.advance(60_000)
    const other = await newPage(server.url)
    t.after(() => other.context().close())
    await other.goto('/')
    await fillIn(other, { Email: hamlet.email, Password: hamlet.password }, 'Sign in')
    for (const typed of ['000000', given === 'app' ? code(secret) : codes[0]!]) {
      await other.locator('input[name="code"]').fill(typed)
      await other.getByRole('button', { name: 'Sign in' }).click()
      if (typed === '000000') await other.getByText('Wrong code').waitFor()
    }
    await other.getByRole('navigation').first().waitFor()
    await other.goto('/#settings/account')
    await other.getByText(`You have ${left} recovery codes left.`).waitFor()
  }
})

browserTest('a second factor that the organization requires is set up while signing in', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, iago } = server
  await iago.api.patch('/realm', { second_factor_required_for: 'members' })
  server.clock.advance(8 * 86_400_000)
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await fillIn(page, { Email: hamlet.email, Password: hamlet.password }, 'Sign in')
  await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  const { width, height } = (await page.getByRole('img', { name: 'QR code' }).boundingBox())!
  assert.ok(width >= 200 && height === width, 'large enough for a camera')
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(codeOf(secret, stepAt(server.clock.now() / 1000)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  assert.equal(await page.locator('code').count(), 10)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('navigation').first().waitFor()
})

browserTest('the settings lead to a page that makes a key with its file', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/sessions')
  await page.getByRole('link', { name: /zuliprc file/ }).click()
  await page.getByRole('heading', { name: 'Create an API key' }).waitFor()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
  const password = page.getByLabel('Password')
  if ((await password.count()) > 0) await password.fill(hamlet.password)
  await page.getByRole('button', { name: 'Create key' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download zuliprc' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'zuliprc')
  assert.equal(readFileSync(await download.path(), 'utf8'), await page.locator('pre').textContent())
})

browserTest('lists sessions with their addresses, and signs out everywhere else', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, hamlet)
  await page.goto('/#settings/sessions')
  const sessions = page.locator('.sessions > li')
  await sessions
    .filter({ hasText: '(this browser)' })
    .filter({ hasText: /from (127\.0\.0\.1|::1|::ffff)/ })
    .waitFor()
  await page.getByRole('button', { name: 'Sign out of all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await sessions.nth(1).waitFor({ state: 'detached' })
  await other.getByLabel('Password').first().waitFor()
})

browserTest('shows owners the outbox of email, and lets them send, cancel and allow again', async (t) => {
  let reply: string | undefined = '550 5.1.1 No such user'
  const send = async () => {
    if (reply === undefined) return '250 OK'
    throw new MailFailed(`The mail server rejected the recipient: ${reply}`, 'recipient', { permanent: true, reply })
  }
  await using server = await testServer({
    web: true,
    publicUrl: 'https://chat.example.com',
    mail: { from: 'chat@example.com', send },
  })
  const { iago } = server
  await iago.api.post('/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
  const page = await visit(t, server.url, iago)
  await eventually('the email failed', async () => (await iago.api.get('/mail')).counts.failed === 1)
  await page.goto('/#settings/mail')
  await page.getByText('The mail server takes email.').waitFor()
  const row = page.locator('.mails > li')
  await row.filter({ hasText: '550 5.1.1 No such user' }).waitFor()
  await page.locator('.suppressed').getByRole('button', { name: 'Allow email to ann@example.org again' }).click()
  await page.locator('.suppressed > li').waitFor({ state: 'detached' })
  reply = undefined
  await row.getByRole('button', { name: 'Send Invitation: ann@example.org again' }).click()
  await eventually('the email was sent', async () => (await iago.api.get('/mail')).counts.sent === 1)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row.filter({ hasText: 'Sent' }).waitFor()
  await page.getByLabel('Email address').fill('ben@example.org')
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The mail server accepted it: 250 OK').waitFor()
})

browserTest('shows owners the audit log, with filters', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, cordelia } = server
  await cordelia.api.patch('/settings', { full_name: 'Cordelia of France' })
  await iago.api.patch('/realm', { description: 'A castle by the sea' })
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/audit')
  const entries = page.locator('.audit > li')
  await entries.filter({ hasText: 'A castle by the sea' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByLabel('Done by').fill(cordelia.email)
  await page.getByLabel('Done by').press('Enter')
  await entries.filter({ hasText: 'A castle by the sea' }).waitFor({ state: 'detached' })
  await entries.filter({ hasText: 'Cordelia of France' }).waitFor()
  await page.getByLabel('Done by').fill('nobody at all')
  await page.getByLabel('Done by').press('Enter')
  await page.getByText('No one has this name').waitFor()
})

browserTest('creates a limited key, lists its limits and revokes it', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/sessions')
  await page.getByText('New limited API key').click()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create limited key' }) })
  await form.getByLabel('Name of the key').fill('Alerts')
  await form.getByLabel('Permission').selectOption('send')
  await form.getByLabel('Channel').selectOption('general')
  await form.getByLabel('Expires').selectOption('30')
  await form.getByLabel('Your password').fill(hamlet.password)
  await form.getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Your new limited API key' })
  const key = await dialog.getByRole('textbox').inputValue()
  const api = apiOf(server.chat, { email: hamlet.email, key })
  const message = { type: 'stream', topic: 'x', content: 'hello' }
  assert.equal((await api.post('/messages', { ...message, to: 'general' })).status, 200)
  assert.equal((await api.get('/users/me')).code, 'INSUFFICIENT_SCOPE')
  await page.keyboard.press('Escape')
  const row = page.locator('.sessions li', { hasText: 'Alerts' })
  await row.getByText('Send messages, until').waitFor()
  await row.getByRole('button').click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await api.post('/messages', { ...message, to: 'general' })).code, 'INVALID_API_KEY')
})
