import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, until } from './gestures.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
const pills = (page: Page) => page.locator('.search-field .pill').allInnerTexts()

browserTest('suggests operators and operands and turns them into pills', async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['hamlet', 'cordelia'] } } })
  await server.cordelia.says('Something is rotten', { topic: 'state' })
  await server.cordelia.says('rotten apples', { stream: 'verona', topic: 'fruit' })
  const page = await visit(t, server.url, server.hamlet)
  await box(page).pressSequentially('sen')
  await page.getByRole('option', { name: /^sender:/ }).waitFor()
  await box(page).press('Tab')
  await until(page, `document.getElementById('search-box').value === 'sender:'`)
  await box(page).pressSequentially('cor')
  await page.getByRole('option', { name: /cordelia/ }).waitFor()
  await box(page).press('ArrowDown')
  await box(page).press('Enter')
  assert.deepEqual(
    (await pills(page)).map((text) => text.trim()),
    ['sender:cordelia'],
  )
  // One that is typed to its end becomes a pill too, and a topic is suggested for the stream.
  await box(page).pressSequentially('channel:general topic:st')
  await page.getByRole('option', { name: /topic:state/ }).click()
  assert.equal((await pills(page)).length, 3)
  await box(page).pressSequentially('rotten')
  await box(page).press('Enter')
  await page.locator('article .highlight').filter({ hasText: 'rotten' }).waitFor()
  assert.equal(await page.locator('article').count(), 1)

  // The search stands in the box, and is changed there.
  await page.getByRole('button', { name: 'Remove channel:general' }).click()
  await page.getByRole('button', { name: 'Remove topic:state' }).click()
  await box(page).press('Enter')
  await message(page, 'rotten apples').waitFor()
  await box(page).fill('')
  await box(page).press('Backspace')
  assert.deepEqual(await pills(page), [])
  await page.goto('/#inbox')
  assert.equal(await box(page).inputValue(), '')
})

browserTest('highlights matches only in searches, also in topics, and applies edits immediately', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { id } = await server.cordelia.says('Something is rotten', { topic: 'rotten state' })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow/search/rotten')
  await page.locator('article .highlight').filter({ hasText: 'rotten' }).waitFor()
  await page.locator('.recipient .highlight').filter({ hasText: 'rotten' }).click()
  await page.getByRole('heading', { name: 'rotten state' }).waitFor()
  await message(page, 'Something is rotten').waitFor()
  assert.equal(await page.locator('article .highlight').count(), 0)
  await page.goBack()
  await page.locator('article .highlight').waitFor()
  await server.cordelia.api.patch(`/messages/${id}`, { content: 'Something is rotten no more' })
  await message(page, 'Something is rotten no more').waitFor()
})

browserTest('an inactive search sends no requests and catches up on return', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.cordelia.says('Something is rotten', { topic: 'state' })
  const page = await visit(t, server.url, server.hamlet)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/matches_narrow')) asked += 1
  })
  await page.goto('/#narrow/search/rotten')
  await message(page, 'Something is rotten').waitFor()
  await server.cordelia.says('rotten apples', { topic: 'fruit' })
  await message(page, 'rotten apples').waitFor()
  assert.ok(asked > 0)
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const before = asked
  await server.cordelia.says('rotten pears', { topic: 'pears' })
  await page.locator('#main-view').getByRole('link', { name: 'pears' }).waitFor()
  await page.goBack()
  await message(page, 'rotten pears').waitFor()
  assert.equal(asked, before)
  await server.cordelia.says('rotten plums', { topic: 'plums' })
  await message(page, 'rotten plums').waitFor()
})

browserTest('explains search errors helpfully', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const asked = async (text: string, sentence: RegExp) => {
    await box(page).fill(text)
    await box(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    assert.match(page.url(), /\/(#inbox)?$/)
  }
  await asked('is:nonsense', /“is:” accepts starred, mentioned, .* or alerted, but not “nonsense”/)
  await asked('has:wings', /“has:” accepts link, image, attachment or reaction/)
  await asked('stream:nowhere', /can't read any channel named “nowhere”/)
  await asked('sender:somebody', /No one here is named “somebody”/)
  await asked('id:x', /needs a message ID/)
  await asked('sender:', /Add something after “sender:”, such as sender:ann/)
})
