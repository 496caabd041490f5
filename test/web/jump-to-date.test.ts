import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic } from './gestures.ts'

const DAY = 86_400_000

browserTest('jumps to the first message from a date on', async (t) => {
  const now = Date.now()
  await using server = await testServer({ web: true, clock: manualClock(now - 9 * DAY) })
  const { hamlet, iago } = server.people
  for (let day = 9; day > 0; day -= 3) {
    await iago.says(`Report of ${day} days ago`, { stream: 'general', topic: 'reports' })
    for (let i = 0; i < 60; i++) await iago.says(`Line ${day}-${i}`, { stream: 'general', topic: 'reports' })
    server.clock.advance(3 * DAY)
  }
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'reports')
  await message(page, 'Line 3-59').waitFor()
  assert.equal(await message(page, 'Report of 6 days ago').count(), 0)
  const jump = async (at: number) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Jump to date…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Jump to date' })
    const local = await page.evaluate((time) => {
      const date = new Date(time)
      return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    }, at)
    await dialog.getByLabel('Date').fill(local)
    await dialog.getByRole('button', { name: 'Jump' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await jump(now - 7 * DAY)
  await message(page, 'Report of 6 days ago').waitFor()
  assert.match(page.url(), /\/near\/\d+$/)
  // No message is as new, so the newest one is opened.
  await jump(now)
  await message(page, 'Line 3-59').waitFor()
  await jump(now - 30 * DAY)
  await message(page, 'Report of 9 days ago').waitFor()
})
