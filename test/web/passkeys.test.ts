import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { freePort } from '../../scripts/free-port.ts'
import { testServer } from '../../src/testing/index.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn } from './gestures.ts'

/** Gives a page a device that verifies its owner. Returns how to hand its passkeys to another page. */
async function device(page: Page, credentials: readonly object[] = []) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const),
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  for (const credential of credentials)
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never })
  return async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}

browserTest('adds a passkey in the settings, signs in with it, and removes it', async (t) => {
  const port = await freePort()
  await using server = await testServer({ web: true, port, publicUrl: `http://localhost:${port}` })
  const { hamlet } = server
  const url = `http://localhost:${port}`
  const page = await visit(t, url, hamlet)
  let passkeys = await device(page)
  await page.goto('/#settings/account')
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Add a passkey' }) })
  await form.getByLabel('Name of the passkey').fill('Laptop')
  await form.getByLabel('Your password').fill(hamlet.password)
  await form.getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  assert.equal((await dialog.getByRole('textbox').inputValue()).split('\n').length, 10)
  await page.keyboard.press('Escape')
  await page.getByText('Your account has a passkey. You have 10 recovery codes left.').waitFor()

  // The same device has one already.
  await form.getByLabel('Name of the passkey').fill('Again')
  // It also confirms, and then no password is needed.
  server.clock.advance(301_000)
  await form.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await form.getByText('Confirmed for five minutes.').waitFor()
  await form.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()

  const open = async () => {
    const other = await newPage(url)
    t.after(() => other.context().close())
    // The same device each time, so its counter grows.
    passkeys = await device(other, await passkeys())
    await other.goto('/')
    return other
  }
  const without = await open()
  await without.getByRole('button', { name: 'Use a passkey' }).click()
  await without.getByRole('navigation').first().waitFor()

  const second = await open()
  await fillIn(second, { Email: hamlet.email, Password: hamlet.password }, 'Sign in')
  await second.locator('input[name="code"]').waitFor()
  await second.getByRole('button', { name: 'Use a passkey' }).click()
  await second.getByRole('navigation').first().waitFor()

  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  const rename = page.locator('form', { has: page.getByRole('button', { name: 'Rename', exact: true }) })
  await rename.getByLabel('Name of the passkey').fill('Desk')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).click()
  const remove = page.locator('form', { has: page.getByRole('button', { name: 'Remove', exact: true }) })
  await remove.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).waitFor({ state: 'detached' })

  const after = await open()
  await after.getByRole('button', { name: 'Use a passkey' }).click()
  await after.getByText("This passkey doesn't sign in to an account here.").waitFor()
})

browserTest('a server without HTTPS and public URL shows no passkeys', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#settings/account')
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Passkeys' }).count(), 0)
})
