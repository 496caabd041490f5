import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic } from './gestures.ts'

browserTest('loads each stylesheet once, so that the styles of later parts stay in effect', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('A word', { topic: 'styles' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'styles')
  await message(page, 'A word').click()
  await message(page, 'A word').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Remind me…' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const sheets = (await page.evaluate(
    `[...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => href)`,
  )) as string[]
  assert.ok(sheets.length > 1)
  assert.equal(new Set(sheets).size, sheets.length, sheets.join('\n'))
})
