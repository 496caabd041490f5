import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, skip, visit } from './browser.ts'
import { message, until } from './gestures.ts'

after(closeBrowser)

const box = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
const pills = (page: Page) => page.locator('.search-field .pill').allInnerTexts()

test('operators and what stands after them are suggested, and become pills', { skip }, async (t) => {
  await clientBuilt()
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
  await box(page).pressSequentially('stream:general topic:st')
  await page.getByRole('option', { name: /topic:state/ }).click()
  assert.equal((await pills(page)).length, 3)
  await box(page).pressSequentially('rotten')
  await box(page).press('Enter')
  await page.locator('article .highlight').filter({ hasText: 'rotten' }).waitFor()
  assert.equal(await page.locator('article').count(), 1)

  // The search stands in the box, and is changed there.
  await page.getByRole('button', { name: 'Remove stream:general' }).click()
  await page.getByRole('button', { name: 'Remove topic:state' }).click()
  await box(page).press('Enter')
  await message(page, 'rotten apples').waitFor()
  await box(page).fill('')
  await box(page).press('Backspace')
  assert.deepEqual(await pills(page), [])
  await page.goto('/#inbox')
  assert.equal(await box(page).inputValue(), '')
})

test('in place of an error there is a sentence that helps', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const asked = async (text: string, sentence: RegExp) => {
    await box(page).fill(text)
    await box(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    assert.match(page.url(), /\/(#inbox)?$/)
  }
  await asked('is:nonsense', /“is:” takes starred, mentioned, .* or alerted, not “nonsense”/)
  await asked('has:wings', /“has:” takes link, image, attachment or reaction/)
  await asked('stream:nowhere', /no stream “nowhere” that you can read/)
  await asked('sender:somebody', /Nobody here is called “somebody”/)
  await asked('id:x', /takes the number of a message/)
  await asked('sender:', /something is missing, such as sender:ann/)
})
