import type { Locator, Page } from 'playwright-core'
import type { TestServer } from '../../src/testing/index.ts'

/** What people do on the page. */

export async function openTopic(page: Page, server: TestServer, stream: string, topic: string): Promise<void> {
  const { stream_id } = await server.people.iago.api.get('/get_stream_id', { stream })
  await page.goto(`/#narrow/channel/${stream_id}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`)
  await page.getByRole('heading', { name: topic }).waitFor()
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

const PATIENCE_MS = 30_000

/** Waits until an expression is true on the page. The page's policy forbids the driver's own way of looking. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await page.evaluate(expression))) {
    if (performance.now() > end) throw new Error(`never true: ${expression}`)
    await page.waitForTimeout(50)
  }
}

/** Fills a form in, and sends it. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: button, exact: true }).click()
}

export const signInHere = (page: Page, email: string, password: string) =>
  fillIn(page, { 'E-mail address': email, Password: password }, 'Sign in')
