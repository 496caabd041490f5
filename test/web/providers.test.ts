import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createWebServer } from 'node:https'
import type { TestContext } from 'node:test'
import { freePort } from '../../scripts/free-port.ts'
import { testServer } from '../../src/testing/index.ts'
import { certificate, key } from '../mail/certificate.ts'
import { type Claims, type FakeProvider, fakeProvider, ISSUER } from '../sign-on/fake-provider.ts'
import { ann, keycloak } from '../sign-on/scene.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

const OTHER = 'https://login.example.org'

/** A server with a provider in its file, and another that it doesn't know. */
async function opened(file: object = {}) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  let now = () => 0
  const fakes = [ISSUER, OTHER].map((issuer) => fakeProvider({ issuer, now: () => now() }))
  const ask: FakeProvider['ask'] = (request) =>
    fakes.find(({ issuer }) => new URL(issuer).origin === new URL(request.url).origin)!.ask(request)
  const config = { providers: [keycloak], ...file }
  const server = await testServer({ web: true, port, publicUrl: url, signOn: { config, ask } })
  now = () => server.clock.now()
  return { server, url, fakes }
}

/** Shows the providers' own pages, where somebody with these claims continues. */
async function provided(t: TestContext, fakes: readonly FakeProvider[], claims: Claims): Promise<void> {
  const pages = createWebServer({ cert: certificate, key }, (request, response) => {
    const [, number = '0'] = /^\/(\d)\//.exec(request.url!) ?? []
    const back = fakes[Number(number)]!.consent(`https://localhost${request.url}`, claims).replaceAll('&', '&amp;')
    response.setHeader('content-type', 'text/html').end(`<h1>Provider</h1><a href="${back}">Continue as me</a>`)
  })
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  t.after(() => {
    pages.closeAllConnections()
    pages.close()
  })
  const { port } = pages.address() as { port: number }
  for (const [i, fake] of fakes.entries())
    fake.metadata = { authorization_endpoint: `https://localhost:${port}/${i}/authorize` }
}

async function visitor(t: TestContext, url: string) {
  const page = await newPage(url)
  t.after(() => page.context().close())
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Security.setIgnoreCertificateErrors', { ignore: true })
  await page.goto('/')
  return page
}

browserTest('signs in through a provider, whose groups decide the role', async (t) => {
  const roles = { roles: { 'chat-admins': 'administrator' } }
  const { server, url, fakes } = await opened({ providers: [{ ...keycloak, ...roles }] })
  await using _ = server
  await provided(t, fakes, { ...ann, groups: ['chat-admins'] })
  const page = await visitor(t, url)
  await page.getByRole('link', { name: 'Sign in with Company login' }).click()
  await page.getByRole('link', { name: 'Continue as me' }).click()
  await page.getByRole('navigation').first().waitFor()
  await page.goto('/#settings/organization')
  await page.getByRole('heading', { name: 'Organization', level: 2 }).waitFor()
  const { members } = await server.iago.api.get('/users')
  const { role } = members.find(({ full_name }: { full_name: string }) => full_name === ann.name)
  assert.equal(role, 200)

  await page.goto('/#settings/account')
  await page.getByText('Company login · ann@example.com').waitFor()
  await page.getByRole('button', { name: 'Unlink Company login' }).click()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Unlink', exact: true }) })
  await form.getByLabel('Also revoke access it may have given').check()
  await form.getByRole('button', { name: 'Unlink', exact: true }).click()
  await form.getByText('This is your only way to sign in.').waitFor()

  // The apps get a key only after a press on a button.
  await page.goto(`/accounts/login/social/oidc/keycloak?mobile_flow_otp=${'a1'.repeat(32)}`)
  await page.getByRole('link', { name: 'Continue as me' }).click()
  await page.getByRole('heading', { name: 'Sign in to the app as Ann Lee?' }).waitFor()
})

browserTest('an owner adds, tests, changes and removes a provider', async (t) => {
  const { server, url, fakes } = await opened()
  await using _ = server
  const page = await visit(t, url, server.iago)
  await page.goto('/#settings/providers')
  await page.getByText("In the server's sign-on file").waitFor()
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = page.locator('form', { has: page.getByLabel('Client ID') })
  await form.getByLabel('Name in URLs').fill('company')
  await form.getByLabel('Issuer').fill(OTHER)
  await form.getByLabel('Client ID').fill('chat')
  await form.getByLabel('Client secret').fill('wrong')
  await form.getByLabel('Name on the button').fill('Our people')
  await form.getByLabel('Trusted domains').fill('example.com, example.org')
  await form.getByLabel('Create accounts').check()
  await form.getByLabel('More settings').fill('{"roles": {"a": "owner"}}')
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('must be one of administrator').waitFor()
  await form.getByLabel('More settings').fill('{"roles": {"a": "moderator"}}')
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await form.getByText('The provider rejects the client ID or the client secret').waitFor()
  await form.getByLabel('Client secret').fill('a secret')
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await form.getByText('The provider answers as expected.').waitFor()
  await form.getByText(`${url}/complete/oidc/company`).waitFor()
  await form.getByLabel('Your password').fill(server.iago.password)
  await form.getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('button', { name: 'Edit Our people' }).waitFor()

  await provided(t, fakes, ann)
  const person = await visitor(t, url)
  await person.getByRole('link', { name: 'Sign in with Our people' }).click()
  await person.getByRole('link', { name: 'Continue as me' }).click()
  await person.getByRole('navigation').first().waitFor()

  await page.getByRole('button', { name: 'Edit Our people' }).click()
  const editing = page.locator('form', { has: page.getByLabel('Client ID') })
  assert.equal(await editing.getByLabel('Client secret').inputValue(), '')
  assert.match(await editing.getByLabel('More settings').inputValue(), /"a": "moderator"/)
  await editing.getByLabel('Name on the button').fill('Us')
  const forAll = editing.getByLabel('Let this provider sign people in to every account')
  assert.equal(await forAll.count(), 0)
  await editing.getByLabel('Trusted domains').fill('*')
  await forAll.check()
  await editing.getByLabel('Domains without passwords').fill('example.net')
  await editing.getByLabel('Emergency accounts').fill(server.iago.email)
  await editing.getByLabel('Your password').fill(server.iago.password)
  await editing.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Test Us' }).waitFor()
  const { providers } = await server.iago.api.get('/sign_on/providers')
  const { trust_all_domains, required_for, break_glass } = providers.at(-1).provider
  assert.deepEqual([trust_all_domains, required_for, break_glass], [true, ['example.net'], [server.iago.email]])
  await page.getByRole('button', { name: 'Test Us' }).click()
  await page.getByText('The provider answers as expected.').waitFor()

  await page.getByRole('button', { name: 'Remove Us' }).click()
  await page.getByRole('dialog').getByLabel('Your password').fill(server.iago.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove Us' }).waitFor({ state: 'detached' })
  const after = await visitor(t, url)
  await after.getByRole('link', { name: 'Sign in with Company login' }).waitFor()
  assert.equal(await after.getByRole('link', { name: 'Sign in with Us' }).count(), 0)
})
