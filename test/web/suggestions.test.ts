import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

/** Waits until the open list of a field is above or below it, begins where it begins, and is within the window. */
const listIs = (page: Page, where: 'above' | 'below', side: 'left' | 'right', field: string) =>
  until(
    page,
    `(() => {
      const list = [...document.querySelectorAll('[role=listbox]')].find((one) => one.matches(':popover-open'))
      if (!list) return false
      const own = list.getBoundingClientRect()
      const at = document.querySelector('${field}').getBoundingClientRect()
      const gap = '${where}' === 'above' ? at.top - own.bottom : own.top - at.bottom
      const isInside = own.left >= 0 && own.right <= innerWidth && own.top >= 0 && own.bottom <= innerHeight
      return isInside && gap >= 0 && gap <= 8 && Math.abs(own.${side} - at.${side}) <= 1
    })()`,
  )

browserTest('suggestions are where there is room for them, also from right to left', async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.api.patch('/settings', { default_language: 'en' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'greetings')
  await page.locator('#compose-text').pressSequentially('Hello @cor')
  await listIs(page, 'above', 'left', '#compose-text')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Search messages' }).first().fill('sender:')
  await listIs(page, 'below', 'left', '.search-field .pills')
  // The list goes with its field.
  await page.setViewportSize({ width: 1000, height: 600 })
  await listIs(page, 'below', 'left', '.search-field .pills')

  await server.hamlet.api.patch('/settings', { default_language: 'ar' })
  await page.locator('html[dir=rtl] #compose-text').fill('')
  await page.locator('#compose-text').pressSequentially('Hello @cor')
  await listIs(page, 'above', 'right', '#compose-text')
})

browserTest('the composer offers the topics of a channel, newest first, as one is typed', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { plays: { members: ['hamlet'], topics: { lunch: 1, 'launch day': 1, tragedy: 1 } } },
  })
  const page = await visit(t, server.url, server.hamlet)
  const { stream_id } = await server.hamlet.api.get('/get_stream_id', { stream: 'plays' })
  await page.goto(`/#narrow/channel/${stream_id}`)
  const topic = page.getByRole('combobox', { name: 'Topic' })
  const options = page.locator('[role="option"]')
  await topic.click()
  await options.filter({ hasText: 'tragedy' }).waitFor()
  await topic.pressSequentially('l')
  await options.filter({ hasText: 'tragedy' }).waitFor({ state: 'detached' })
  assert.deepEqual(await options.locator('.name').allTextContents(), ['launch day', 'lunch'])
  await topic.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await topic.pressSequentially('un')
  await topic.press('ArrowDown')
  await topic.press('Enter')
  assert.equal(await topic.inputValue(), 'lunch')
  await options.first().waitFor({ state: 'detached' })
})

browserTest('a sheet on a phone stands on the keyboard', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Words', { topic: 'books' })
  const page = await newPage(server.url, { size: sizes.phone })
  t.after(() => page.context().close())
  // A browser without windows has no keyboard that takes part of the page.
  await page.addInitScript(`Object.defineProperty(window, 'visualViewport', {
    value: Object.assign(new EventTarget(), { offsetTop: 0, offsetLeft: 0, width: 390, height: 844 }),
  })`)
  await signIn(page, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  await message(page, 'Words').getByRole('button', { name: 'cordelia', exact: true }).click()
  const bottomIs = (px: number) =>
    until(page, `document.querySelector('dialog.popover')?.getBoundingClientRect().bottom === ${px}`)
  await bottomIs(844)
  await page.evaluate(`visualViewport.height = 500; visualViewport.dispatchEvent(new Event('resize'))`)
  await bottomIs(500)
})
