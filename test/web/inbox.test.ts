import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { newPage, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

const TOPICS = 20_000

/** Has the server's first answer tell of many unread topics of a channel; the newest has the highest number. */
async function withUnreadTopics(page: Page, stream_id: number): Promise<void> {
  await page.route('**/json/register', async (route) => {
    const response = await route.fetch()
    const state = await response.json()
    if (state.unread_msgs) {
      for (let i = 1; i <= TOPICS; i++)
        state.unread_msgs.streams.push({ stream_id, topic: `topic ${i}`, unread_message_ids: [1_000_000 + i] })
      state.unread_msgs.count += TOPICS
    }
    await route.fulfill({ response, json: state })
  })
}

async function visitFull(page: Page, server: TestServer): Promise<void> {
  const { stream_id } = await server.hamlet.api.get('/get_stream_id', { stream: 'general' })
  await withUnreadTopics(page, stream_id)
  await signIn(page, server.hamlet)
  await page.getByRole('link', { name: 'topic 20000', exact: false }).waitFor()
}

const drawnRows = `document.querySelectorAll('.inbox > li').length`
const focusedRow = `document.activeElement?.textContent`

browserTest('shows 20,000 unread topics by drawing only those near the window', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await visitFull(page, server)
  assert.ok(Number(await page.evaluate(drawnRows)) < 120)
  const size = await page.locator('.inbox > li[aria-setsize]').last().getAttribute('aria-setsize')
  assert.ok(Number(size) > TOPICS, `${size} rows`)

  await page.getByRole('link', { name: 'topic 20000' }).focus()
  await page.keyboard.press('j')
  await until(page, `${focusedRow} === 'topic 199991 unread'`)
  await page.keyboard.press('End')
  await until(page, `${focusedRow} === 'topic 11 unread'`)
  assert.ok(Number(await page.evaluate(drawnRows)) < 120)
  await page.keyboard.press('k')
  await until(page, `${focusedRow} === 'topic 21 unread'`)

  // Wherever one scrolls to, the window is full of rows, and they stay where they are as more are measured.
  await page.evaluate(`document.querySelector('.list-content').scrollTop = 400_000`)
  const inSight = `(() => {
    const frame = document.querySelector('.list-content').getBoundingClientRect()
    return [...document.querySelectorAll('.inbox > li[data-row]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return bottom > frame.top && top < frame.bottom
    })
  })()`
  await until(page, `${inSight}.length > 10`)
  const first = String(await page.evaluate(`${inSight}[3].textContent`))
  await page.evaluate(`document.querySelector('.list-content').scrollTop -= 60`)
  await until(page, `${inSight}.some((row) => row.textContent === '${first}')`)
  // The row with the focus is still there.
  await page.keyboard.press('ArrowUp')
  await until(page, `${focusedRow} === 'topic 31 unread'`)
})

browserTest('e marks a row of the inbox as read and moves to the next one', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  for (const topic of ['first', 'second', 'third']) await server.cordelia.says('Hello', { topic })
  const { messages } = await server.hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  await server.hamlet.api.post('/messages/flags', {
    messages: messages.map(({ id }: { id: number }) => id),
    op: 'add',
    flag: 'read',
  })
  const page = await visit(t, server.url, server.hamlet)
  await page.getByRole('link', { name: 'third' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await until(page, `${focusedRow}.startsWith('second')`)
  await page.keyboard.press('e')
  await page.getByRole('link', { name: 'second' }).waitFor({ state: 'detached' })
  await until(page, `${focusedRow}.startsWith('first')`)
})
