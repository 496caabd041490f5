import type { Page } from 'playwright-core'
import { codeOf, stepAt } from '../src/core/accounts/second-factor/totp.ts'
import { manualClock, type TestServer, testServer } from '../src/testing/index.ts'
import { keycloak, ORIGIN } from '../test/sign-on/scene.ts'
import { signInHere } from '../test/web/gestures.ts'

/** One for each theme and width: a second factor is set up once. */
const people = ['ann', 'ben', 'cleo', 'dora', 'emil', 'finn'] as const
type Strict = TestServer<(typeof people)[number]>

const WEEK_AND_A_DAY_MS = 8 * 86_400_000
const providers = ['Company login', 'Google', 'GitHub'].map((display_name, at) => ({
  ...keycloak,
  name: `provider${at}`,
  display_name,
}))

/** A server whose organization has identity providers, lets people sign up and requires second factors. */
export async function strictServer(): Promise<Strict> {
  const server = await testServer({
    org: 'Arden & Co.',
    web: true,
    people,
    clock: manualClock(Date.now()),
    publicUrl: ORIGIN,
    mail: { from: 'chat@example.com', send: async () => '250 OK' },
    signOn: { config: { providers }, ask: () => Promise.reject(new Error('no network')) },
  })
  await server.people.iago.api.patch('/realm', {
    description: 'Furniture, and everything about it',
    invite_required: false,
    second_factor_required_for: 'members',
  })
  server.clock.advance(WEEK_AND_A_DAY_MS)
  return server
}

const left = [...people]

/** Signing in by providers, with a second factor, and signing up. */
export const signOnViews: Readonly<Record<string, (page: Page, server: Strict) => Promise<unknown>>> = {
  'sign-on': (page) => page.goto('/').then(() => page.getByLabel('Password').waitFor()),
  'sign-up': async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Create an account' }).click()
  },
  'second-factor-required': async (page, server) => {
    await page.goto('/')
    const { email, password } = server.people[left[0]!]
    await signInHere(page, email, password)
    await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  },
  'recovery-codes': async (page, server) => {
    await signOnViews['second-factor-required']!(page, server)
    left.shift()
    const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
    await page.getByLabel('Code from the app').fill(codeOf(secret, stepAt(server.clock.now() / 1000)))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  },
}
