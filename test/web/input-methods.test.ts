import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic } from './gestures.ts'

/** Presses a key that ends a composition, as most browsers tell it and as Safari does, and waits until that would be seen. */
const composes = (page: Page, key: string) =>
  page.evaluate(
    `(async () => {
      const box = document.activeElement
      for (const extra of [{ isComposing: true }, { keyCode: 229 }]) {
        box.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true, ...extra }))
        for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })()`,
  )
const focused = (page: Page) => page.evaluate(`document.activeElement.getAttribute('aria-label')`)

browserTest('Enter and Escape that end an input method composition do nothing else', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.hamlet.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  await message(page, 'Words').waitFor()

  await page.keyboard.press('Control+k')
  const where = page.getByRole('combobox', { name: 'Search everything' })
  await where.fill('cord')
  await page.getByRole('option', { name: /cordelia/ }).waitFor()
  await composes(page, 'Enter')
  assert.equal(await where.inputValue(), 'cord')
  await page.keyboard.press('Escape')

  const search = page.getByRole('combobox', { name: 'Search messages' })
  await search.fill('sender:cor')
  await page.getByRole('option', { name: /cordelia/ }).waitFor()
  await search.press('ArrowDown')
  await composes(page, 'Enter')
  await composes(page, 'Escape')
  assert.equal(await search.inputValue(), 'sender:cor')
  assert.ok(await page.getByRole('option', { name: /cordelia/ }).isVisible())
  assert.equal(await focused(page), 'Search messages')
  await search.press('Escape')
  await search.press('Escape')

  await chooses(page, 'Words', 'Edit')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.waitFor()
  await composes(page, 'Escape')
  assert.ok(await edit.isVisible())
  await edit.press('Escape')

  await page.locator('#main-view').focus()
  await page.keyboard.press('x')
  const people = page.getByRole('combobox', { name: 'Recipients' })
  await people.fill('cord')
  await page.getByRole('option', { name: 'cordelia' }).waitFor()
  await composes(page, 'Enter')
  await composes(page, 'Escape')
  assert.equal(await people.inputValue(), 'cord')
  assert.equal(await focused(page), 'Recipients')
  await people.press('Enter')
  await page.getByRole('button', { name: 'Remove cordelia' }).waitFor()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Hello')
  await composes(page, 'Escape')
  assert.equal(await focused(page), 'Message')
})

browserTest("Escape that ends a composition doesn't revert a setting's text", async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#settings/profile')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Hamlet the Dane')
  await composes(page, 'Escape')
  assert.equal(await name.inputValue(), 'Hamlet the Dane')
})
