import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, sizes, skip, visit } from './browser.ts'
import { message } from './gestures.ts'

after(closeBrowser)

test('on a phone one goes from the streams to a topic, writes, and comes back', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  await server.cordelia.says('Anyone?', { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await page.getByRole('button', { name: 'Streams' }).click()
  await page.getByRole('button', { name: 'Topics of general' }).click()
  await page.getByRole('link', { name: /garden/ }).click()
  await message(page, 'Anyone?').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Me.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await message(page, 'Me.').waitFor()
  // Nothing is wider than the screen.
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await page.getByRole('link', { name: 'Back to the inbox' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})
