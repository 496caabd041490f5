import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { keycloak, ORIGIN } from '../sign-on/scene.ts'
import { newPage } from './browser.ts'
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
  await page.getByText('Password authentication is disabled').waitFor()
})
