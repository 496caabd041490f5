import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { TestServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'

/** What people do on the page. */

export async function openTopic(page: Page, server: TestServer, stream: string, topic: string): Promise<void> {
  const { stream_id } = await server.people.iago.api.get('/get_stream_id', { stream })
  await page.goto(
    `/#narrow/channel/${stream_id}/topic/${encodeURIComponent(topic).replaceAll('.', '%2E').replaceAll('%', '.')}`,
  )
  await page.getByRole('heading', { name: topic }).waitFor()
}

/** Opens the window of a user who has read everything, with an open topic. */
export async function visitRead(t: TestContext, server: TestServer, stream: string, topic: string): Promise<Page> {
  await server.people.hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, stream, topic)
  return page
}

/** A message on the page, by what it says. */
export const message = (page: Page, text: string): Locator => page.locator('article').filter({ hasText: text }).last()

export async function writes(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
}

export async function sends(page: Page, text: string): Promise<void> {
  await writes(page, text)
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
}

/** One of the actions of a message behind "More actions". */
export async function chooses(page: Page, text: string, action: string): Promise<void> {
  const line = message(page, text)
  await line.hover()
  await line.getByRole('button', { name: 'More actions' }).click()
  await line.getByRole('menuitem', { name: action }).click()
}

/**
 * Waits until an expression is true on the page. It may throw until then, as for an element that isn't there yet, and the page may load
 * again. The page's policy forbids the driver's own way of looking.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const tried = `(async () => {
    try {
      return [Boolean(await (${expression})), '']
    } catch (error) {
      return [false, ': ' + error]
    }
  })()`
  let problem = ''
  const isSo = async () => {
    const [found, thrown] = (await page.evaluate(tried).catch((error: Error) => {
      if (/context was destroyed/.test(error.message)) return [false, `: ${error.message}`]
      throw error
    })) as [boolean, string]
    problem = thrown
    return found
  }
  await eventually(() => expression + problem, isSo)
}

/** Waits until nothing has changed on the page for some frames. */
const still = `new Promise((resolve) => {
  let frames = 0
  const observer = new MutationObserver(() => (frames = 0))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const look = () => {
    frames += 1
    if (frames < 4) requestAnimationFrame(look)
    else observer.disconnect(), resolve()
  }
  requestAnimationFrame(look)
})`

/** Waits until a view stands: its script, and what it asks the server for, have come and are drawn. */
export async function settles(page: Page, server: TestServer): Promise<void> {
  await page.evaluate(still)
  // A page that has loaded is empty until the texts of its language are there.
  await until(page, `document.querySelector('#app:empty, #main-view:empty, [aria-busy="true"]') === null`)
  await server.idle()
  await page.evaluate(still)
}

/** Fills a form in, and sends it. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: button, exact: true }).click()
}

export const signInHere = (page: Page, email: string, password: string) =>
  fillIn(page, { Email: email, Password: password }, 'Sign in')

/** What the page has kept in the browser's database, as text; empty before there is anything. */
export const keptByBrowser = `new Promise((resolve) => {
  const opening = indexedDB.open('chat')
  opening.onsuccess = () => {
    const database = opening.result
    if (!database.objectStoreNames.contains('kept')) return database.close(), resolve('')
    const reading = database.transaction('kept').objectStore('kept').getAll()
    reading.onsuccess = () => { database.close(); resolve(JSON.stringify(reading.result)) }
  }
})`

/** Holds back the answers with events that have this text: each function lets one through, in the order in which they came. */
export async function holdEvents(page: Page, text: string): Promise<(() => void)[]> {
  const letThrough: (() => void)[] = []
  await page.route('**/json/events?**', async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(text)) await new Promise<void>((resolve) => letThrough.push(resolve))
    await route.fulfill({ response })
  })
  return letThrough
}

/** Waits until the message field has this text. */
export const boxHas = (page: Page, text: string) =>
  until(page, `document.querySelector('#compose-text')?.value === ${JSON.stringify(text)}`)
