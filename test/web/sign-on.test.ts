import assert from 'node:assert/strict'
import { storeOf } from '../../src/core/kernel/store.ts'
import { testServer } from '../../src/testing/index.ts'
import { keycloak, ORIGIN } from '../sign-on/scene.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn } from './gestures.ts'

const signOn = (file: object) => ({
  web: true,
  publicUrl: ORIGIN,
  signOn: { config: { providers: [keycloak], ...file }, ask: () => Promise.reject(new Error('no network')) },
})

browserTest('the sign-in page has a button for each provider, above the password', async (t) => {
  await using server = await testServer(signOn({}))
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  const button = page.getByRole('link', { name: 'Sign in with Company login' })
  await button.waitFor()
  assert.equal(await button.getAttribute('href'), '/accounts/login/social/oidc/keycloak')
  await page.getByLabel('Password').waitFor()
  await button.click()
  await page.getByText('The sign-in service is not answering').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await button.waitFor()
})

browserTest('without passwords, the fields appear only on request', async (t) => {
  await using server = await testServer(signOn({ passwords: 'break_glass', break_glass: ['iago@example.com'] }))
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in with Company login' }).waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  await page.getByRole('button', { name: 'Use a password' }).click()
  const { email, password } = server.hamlet
  await fillIn(page, { Email: email, Password: password }, 'Sign in')
  await page.getByText('Passwords are turned off here.').waitFor()
})

browserTest('an account without a password signs in again to confirm, and sets its first password', async (t) => {
  await using server = await testServer(signOn({}))
  const page = await visit(t, server.url, server.hamlet)
  await storeOf(server.chat).write(({ db }) =>
    db.updateTable('user').set({ password_hash: null }).where('id', '=', server.hamlet.id).execute(),
  )
  await page.goto('/#settings/sessions')
  await page.getByText('New limited API key').click()
  const again = page.getByRole('link', { name: 'Company login' })
  await again.waitFor()
  const next = encodeURIComponent('/#settings/sessions')
  assert.equal(await again.getAttribute('href'), `/accounts/login/social/oidc/keycloak?next=${next}`)
  assert.equal(await page.getByLabel('Your password').count(), 0)
  await page.goto('/#settings/account')
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Set password' }) })
  await form.getByRole('link', { name: 'Company login' }).waitFor()
  assert.equal(await form.getByLabel('Current password').count(), 0)
  const fields = { 'New password': 'another horse', 'Confirm new password': 'another horse' }
  await fillIn(page, fields, 'Set password')
  await page.getByText('Password changed').waitFor()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
})
