import assert from 'node:assert/strict'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { testServer } from '../../src/testing/index.ts'
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
  await page.screenshot({ path: '/tmp/shots/qr.png', fullPage: true })
  const secret = (await page.locator('form code').textContent())!
  await page.getByLabel('Code', { exact: true }).fill(code(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  const codes = (await dialog.getByRole('textbox').inputValue()).split('\n')
  assert.equal(codes.length, 10)
  await page.screenshot({ path: '/tmp/shots/codes.png' })
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

browserTest('shows owners the audit log, with filters', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, cordelia } = server
  await cordelia.api.patch('/settings', { full_name: 'Cordelia of France' })
  await iago.api.patch('/realm', { description: 'A castle by the sea' })
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/audit')
  const entries = page.locator('.audit > li')
  await entries.filter({ hasText: 'A castle by the sea' }).waitFor()
  await page.screenshot({ path: '/tmp/shots/audit.png' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: '/tmp/shots/audit-phone.png' })
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByLabel('Done by').fill(cordelia.email)
  await page.getByLabel('Done by').press('Enter')
  await entries.filter({ hasText: 'A castle by the sea' }).waitFor({ state: 'detached' })
  await entries.filter({ hasText: 'Cordelia of France' }).waitFor()
  await page.getByLabel('Done by').fill('nobody at all')
  await page.getByLabel('Done by').press('Enter')
  await page.getByText('No one has this name').waitFor()
})
