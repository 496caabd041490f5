import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { buildIfStale } from '../../scripts/build-web.ts'
import { pageHeaders } from '../../src/client/index.ts'

/** Chromium without windows takes a third of the processor time. It shows no notifications, and each of its pages has the focus. */
const shell = '/usr/bin/chromium-headless-shell'
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const firstOf = (paths: readonly string[]) => process.env.CHROMIUM ?? paths.find((path) => existsSync(path))

/** The browser for most tests: $CHROMIUM, or the one that is installed; undefined if there is none. */
export const browserPath = (): string | undefined => firstOf([shell, ...whole])

/** The browser for tests of notifications and focus. */
export const wholeBrowserPath = (): string | undefined => firstOf(whole)

/** Why the tests in a browser are skipped; false if they run. With $REQUIRE_BROWSER, as in CI, they are not skipped. */
export const skipWithout = (path: string | undefined): string | false =>
  path === undefined && !process.env.REQUIRE_BROWSER
    ? 'Chromium is not installed. Install it with: node --import tsx scripts/install-browser.ts'
    : false

let built: Promise<void> | undefined
const launched = new Map<string, Promise<Browser>>()

/** Builds the client as it is now; to be awaited before a server is made, which reads the names of its files. */
export function clientBuilt(): Promise<void> {
  built ??= buildIfStale()
  return built
}

/** One browser of each kind for all tests of a process. */
function browser(executablePath: string): Promise<Browser> {
  const found = launched.get(executablePath)
  if (found) return found
  // The sandbox needs rights that neither root nor containers have.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  const launching = chromium.launch({ executablePath, args })
  launched.set(executablePath, launching)
  return launching
}

/** Closes the browsers of this process. One that doesn't end on a busy machine is killed with the process. */
export async function closeBrowsers(): Promise<void> {
  const closed = [...launched.values()].map(async (launching) => (await launching).close())
  await Promise.race([Promise.all(closed), setTimeout(30_000, undefined, { ref: false })])
}

export interface Size {
  width: number
  height: number
}
export const sizes = {
  wide: { width: 1400, height: 900 },
  middle: { width: 900, height: 800 },
  phone: { width: 390, height: 844 },
} as const satisfies Record<string, Size>

/** Problems of a page: its own errors, and blocked resources. */
export const problemsOf = new WeakMap<Page, string[]>()

let noteFailure: (error: Error) => void = () => {}

/** Runs a test, which fails as soon as one of its windows throws: what it waits for would not come. */
export function failingFast(run: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    noteFailure = reject
    run().then(resolve, reject)
  })
}

interface WindowOptions {
  size?: Size
  theme?: 'light' | 'dark'
  path?: string
  locale?: string
  /** Whether it has a touch screen; as phones do by default. */
  touch?: boolean
}

/** A window of its own, as on another device. */
export async function newPage(
  url: string,
  {
    size = sizes.wide,
    theme = 'light',
    path = browserPath()!,
    locale = 'en-GB',
    touch = size.width < 700,
  }: WindowOptions = {},
): Promise<Page> {
  const context: BrowserContext = await (await browser(path)).newContext({
    baseURL: url,
    viewport: size,
    colorScheme: theme,
    hasTouch: touch,
    locale,
    timezoneId: 'Europe/Paris',
  })
  const page = await context.newPage()
  // A handler that still holds a request would end with an error after its test, and so end the process.
  const close = context.close.bind(context)
  context.close = async (options) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
    await close(options)
  }
  passWorkerBy(page)
  const problems: string[] = []
  problemsOf.set(page, problems)
  page.on('pageerror', (error) => {
    problems.push(`${error}`)
    noteFailure(error)
  })
  page.on('console', (entry) => {
    if (entry.type() === 'error' && !/status of 401/.test(entry.text())) problems.push(entry.text())
  })
  return page
}

/**
 * Has the requests of a page pass its service worker by from its first route. The worker takes the page over at some moment, after which
 * the driver would see none of them, and a busy machine moves that moment.
 */
function passWorkerBy(page: Page): void {
  const route = page.route.bind(page)
  let passed: Promise<unknown> | undefined
  const pass = async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setBypassServiceWorker', { bypass: true })
  }
  page.route = async (...args) => {
    passed ??= pass()
    await passed
    return route(...args)
  }
}

interface Account {
  email: string
  password: string
}

/** Signs the window's browser in and opens the page. `signInHere` fills in the form, as a person does. */
export async function signIn(page: Page, { email, password }: Account, address = '/'): Promise<void> {
  const answer = await page.context().request.post(`${address.replace(/\/$/, '')}/json/session`, {
    form: { username: email, password },
    headers: pageHeaders,
  })
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${await answer.text()}`)
  await page.goto(address)
  await page.locator('#main-view > *').first().waitFor()
}

/** A signed-in window, closed with the test. */
export async function visit(t: TestContext, url: string, account: Account, options?: WindowOptions): Promise<Page> {
  const page = await newPage(url, options)
  t.after(async () => {
    // Node's types do not have it yet.
    if (!(t as { passed?: boolean }).passed) t.diagnostic(await whereabouts(page))
    await page.context().close()
  })
  await signIn(page, account)
  return page
}

/** Where a window is, to explain a failure. */
const whereabouts = (page: Page): Promise<string> =>
  page
    .evaluate(`location.href + ' ' + JSON.stringify(history.state) + '\\n' + document.body.innerText.slice(-500)`)
    .then(String, (error: Error) => error.message)
