import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, until } from './gestures.ts'

browserTest('on a phone, navigates from streams to a topic and back after writing', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Anyone?', { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await page.getByRole('button', { name: 'Channels' }).click()
  await page.getByRole('button', { name: 'Topics in general' }).click()
  await page.getByRole('link', { name: /garden/ }).click()
  await message(page, 'Anyone?').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Me.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await message(page, 'Me.').waitFor()
  // What is pressed all the time has the size of a thumb (WCAG 2.5.8 asks for 24 px).
  const small = `[...document.querySelectorAll('.page-header .icon-button, .compose :is(.icon-button, .send), .bottom-bar > *')]
    .filter((one) => one.checkVisibility()).filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44).map((one) => one.outerHTML)`
  assert.deepEqual(await page.evaluate(small), [])
  // Nothing is wider than the screen.
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  // The keyboard comes, then the phone is turned with a menu open, and back.
  const box = page.getByRole('textbox', { name: 'Message' })
  await page.setViewportSize({ width: 390, height: 420 })
  await box.pressSequentially('Half @c')
  await page.getByRole('option').first().waitFor()
  await page.locator('.bottom-bar').waitFor({ state: 'hidden' })
  const inSight = (selector: string) =>
    until(
      page,
      `[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility()).every((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect()
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  })`,
    )
  await inSight('[role=option], .compose textarea, .send')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 844, height: 390 })
  await page.getByRole('main').getByRole('button', { name: 'Conversation actions' }).click()
  await page.getByRole('menu').waitFor()
  await page.setViewportSize(sizes.phone)
  await until(page, `document.querySelector('.menu-list:popover-open').getBoundingClientRect().right <= innerWidth`)
  await page.keyboard.press('Escape')
  assert.equal(await box.inputValue(), 'Half @c')
  await page.getByRole('link', { name: 'Back to inbox' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

browserTest('on a phone, choosing from an open list closes it, even for the current view', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Anyone?', { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  const streams = page.getByRole('button', { name: 'Channels' })
  const isRead = async () => {
    await page.locator('.left-sidebar').waitFor({ state: 'hidden' })
    await message(page, 'Anyone?').waitFor()
  }
  await streams.click()
  await page.getByRole('button', { name: 'Topics in general' }).click()
  // Not only the words of a row can be pressed.
  const heights = await page.evaluate(
    `[...document.querySelectorAll('.group .row > a')].map((one) => one.offsetHeight)`,
  )
  assert.ok((heights as number[]).length >= 2 && Math.min(...(heights as number[])) >= 40, String(heights))
  for (const _ of ['first', 'again']) {
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /garden/ })
      .click()
    await isRead()
    await streams.click()
    await page.locator('.left-sidebar').waitFor()
  }
  await page.getByRole('button', { name: 'New direct message' }).click()
  await isRead()
  await page.getByRole('combobox', { name: 'Recipients' }).waitFor()
})
