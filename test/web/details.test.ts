import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, until, visitRead, writes } from './gestures.ts'

browserTest('/me shows what a person does as one line with their name', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.cordelia.says('/me bows', { topic: 'stage' })
  const page = await visitRead(t, server, 'general', 'stage')
  const line = message(page, 'bows')
  await line.waitFor()
  assert.match(await line.innerText(), /^cordelia\s+bows/)
  await sends(page, '/me waves')
  await page.locator('article[id]').filter({ hasText: 'waves' }).waitFor()
  assert.match(await message(page, 'waves').innerText(), /^hamlet\s+waves/)
  assert.equal(await page.locator('.feed', { hasText: '/me' }).count(), 0)
})

browserTest('c asks for the channel and offers the last one first', async (t) => {
  await using server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    streams: { attic: { members: ['hamlet'] }, verona: { members: ['hamlet'] } },
  })
  const page = await visitRead(t, server, 'verona', 'walls')
  await sends(page, 'First')
  await page.locator('article[id]').filter({ hasText: 'First' }).waitFor()
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.locator('#main-view').press('c')
  const options = page.getByRole('dialog').getByRole('option')
  await options.first().waitFor()
  assert.deepEqual(await options.allInnerTexts(), ['verona\nlast used', 'attic', 'general'])
  await page.keyboard.type('att')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'attic' }).waitFor()
  const topic = page.getByRole('combobox', { name: 'Topic' })
  await topic.waitFor()
  await until(page, `document.activeElement?.getAttribute('aria-label') === 'Topic'`)
})

browserTest('sorts names by the numbers in them', async (t) => {
  const members = ['hamlet'] as const
  await using server = await testServer({
    web: true,
    streams: { 'team 10': { members }, 'team 9': { members }, 'team 100': { members } },
  })
  const page = await visit(t, server.url, server.hamlet)
  const names = page.locator('.left-sidebar .group li .name', { hasText: 'team' })
  await names.nth(2).waitFor()
  assert.deepEqual(await names.allInnerTexts(), ['team 9', 'team 10', 'team 100'])
})

browserTest('a double click on Send sends once and says so', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.hamlet.says('Who is there?', { topic: 'ramparts' })
  const page = await visitRead(t, server, 'general', 'ramparts')
  await writes(page, 'Friends')
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick()
  await page.getByText('Your message was already sent.').waitFor()
  await page.locator('article[id]').filter({ hasText: 'Friends' }).waitFor()
  assert.equal(await page.locator('article').filter({ hasText: 'Friends' }).count(), 1)
  // The same words twice are one notice. On a busy machine these clicks come late, and say that there is no text.
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Send', exact: true }).click()
  const notices = await page.locator('.notices p').allInnerTexts()
  assert.equal(new Set(notices).size, notices.length)
  assert.ok(notices.length > 0)
})

browserTest('icons and pictures grow with the text', async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  await message(page, 'Words').waitFor()
  const widths = `['.places .icon', 'article .avatar'].map((one) => document.querySelector(one).getBoundingClientRect().width)`
  const usual = (await page.evaluate(widths)) as number[]
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  assert.deepEqual(
    await page.evaluate(widths),
    usual.map((width) => 2 * width),
  )
})

browserTest('folds a long message behind a button', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`)
  await server.cordelia.says(lines.join('\n'), { topic: 'scroll' })
  const page = await visitRead(t, server, 'general', 'scroll')
  const height = async () => (await message(page, 'line 60').boundingBox())!.height
  const more = page.getByRole('button', { name: 'Show more' })
  await more.waitFor()
  const folded = await height()
  await more.click()
  await page.getByRole('button', { name: 'Show less' }).waitFor()
  assert.ok((await height()) > folded + 200)
})
