import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, until } from './gestures.ts'

const filter = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name, exact: true })

/** Waits until the inbox has exactly these conversations. */
const lists = (page: Page, ...names: string[]) =>
  until(
    page,
    `[...document.querySelectorAll('.inbox .conversation .title')].map((one) => one.textContent).sort().join() === '${names.sort().join()}'`,
  )

browserTest('filters the inbox by mentions, participation and followed topics, and includes muted ones', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.api.patch('/settings', {
    automatically_follow_topics_policy: 4,
    automatically_follow_topics_where_mentioned: false,
  })
  await hamlet.says('My own words', { topic: 'mine' })
  await hamlet.api.post('/mark_all_as_read')
  await cordelia.says('An answer', { topic: 'mine' })
  await cordelia.says('@**hamlet** look', { topic: 'named' })
  for (const topic of ['followed', 'quiet', 'other']) await cordelia.says('Words', { topic })
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'followed', visibility_policy: 3 })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'quiet', visibility_policy: 1 })
  const page = await visit(t, server.url, hamlet)
  await lists(page, 'mine', 'named', 'followed', 'other')

  await filter(page, 'Mentions').click()
  await lists(page, 'named')
  await filter(page, 'Followed').click()
  // No conversation fulfills both.
  await page.getByText('No conversations match these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await lists(page, 'mine', 'named', 'followed', 'other')
  await filter(page, 'Followed').click()
  await lists(page, 'followed')
  await filter(page, 'Followed').click()
  await filter(page, 'Include muted').click()
  await lists(page, 'mine', 'named', 'followed', 'other', 'quiet')
  await filter(page, 'Include muted').click()

  await filter(page, 'Participated').click()
  await lists(page, 'mine')
  // What the reader sends now counts, too.
  await hamlet.says('Mine now', { topic: 'other' })
  await lists(page, 'mine', 'other')
  // Only what is listed is marked as read.
  await page.getByRole('button', { name: 'Mark all as read', exact: true }).click()
  await page.getByText('No conversations match these filters.').waitFor()
  assert.equal(await filter(page, 'Participated').getAttribute('aria-pressed'), 'true')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await lists(page, 'named', 'followed')

  // The filters don't change where "n" goes, and end with the view.
  await filter(page, 'Mentions').click()
  await lists(page, 'named')
  await page.locator('#main-view').focus()
  await page.keyboard.press('n')
  await message(page, 'Words').waitFor()
  await page.getByRole('heading', { name: 'followed' }).waitFor()
  await page.locator('article[data-unread]').waitFor({ state: 'detached' })
  await page.goto('/#inbox')
  await lists(page, 'named')
  assert.equal(await filter(page, 'Mentions').getAttribute('aria-pressed'), 'false')
})

browserTest("says why the reader's own conversations are unknown, and asks again", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.says('My own words', { topic: 'mine' })
  await hamlet.api.post('/mark_all_as_read')
  await cordelia.says('An answer', { topic: 'mine' })
  const page = await visit(t, server.url, hamlet)
  await lists(page, 'mine')
  await page.getByText('cordelia: An answer').waitFor()
  server.fail('GET */messages', { status: 500, times: 1 })
  await filter(page, 'Participated').click()
  await page.getByText('No conversations match these filters.').waitFor()
  await filter(page, 'Participated').click()
  await filter(page, 'Participated').click()
  await lists(page, 'mine')
})
