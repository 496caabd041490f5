import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until, writes } from './gestures.ts'

const popover = (page: Page) => page.locator('dialog.popover')

/** Waits until the popover is beside an element, within the window. */
async function isBeside(page: Page, anchor: Locator): Promise<void> {
  await popover(page).waitFor()
  const { x, y, width, height } = (await anchor.boundingBox())!
  await until(
    page,
    `(() => {
      const { left, right, top, bottom } = document.querySelector('dialog.popover').getBoundingClientRect()
      const isNear = Math.min(Math.abs(top - ${y + height}), Math.abs(bottom - ${y})) <= 8 || top <= 4 || bottom >= innerHeight - 8
      return isNear && left <= ${x + width} && right >= ${x} && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    })()`,
  )
}

browserTest('cards, emoji and times open beside what opened them, and close with a click outside', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  const sender = message(page, 'Words').getByRole('button', { name: 'cordelia', exact: true })
  await sender.click()
  await page
    .getByRole('dialog', { name: 'cordelia' })
    .getByText('Local time')
    .or(page.getByText('Member'))
    .first()
    .waitFor()
  await isBeside(page, sender)
  // A press inside leaves it open, and one around it closes it.
  await popover(page)
    .locator('.profile')
    .click({ position: { x: 2, y: 2 } })
  assert.equal(await popover(page).count(), 1)
  await page.mouse.click(1300, 600)
  await popover(page).waitFor({ state: 'detached' })

  const emoji = page.getByRole('button', { name: 'Emoji', exact: true })
  await emoji.click()
  await isBeside(page, emoji)
  await page.keyboard.press('Escape')
  await popover(page).waitFor({ state: 'detached' })
  await until(page, `document.activeElement.getAttribute('aria-label') === 'Emoji'`)

  await writes(page, 'Later')
  const later = page.getByRole('button', { name: 'Send later' })
  await later.click()
  await isBeside(page, later)
  await page.keyboard.press('Escape')

  // From one into another: it takes the place of the first.
  await server.cordelia.api.post(`/messages/${await idOf(page)}/reactions`, { emoji_name: 'tada' })
  const reaction = message(page, 'Words').locator('.reactions button')
  await reaction.focus()
  await reaction.click({ button: 'right' })
  await popover(page).getByRole('button', { name: 'cordelia' }).click()
  await page.getByRole('dialog', { name: 'cordelia' }).waitFor()
  await isBeside(page, reaction)
  await page.keyboard.press('Escape')

  // A decision is a dialog in the middle.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Go to' }).waitFor()
  assert.equal(await popover(page).count(), 0)
})

for (const size of [sizes.wide, sizes.phone])
  browserTest(
    `the status form and the edit history open beside what opened them at ${size.width} pixels`,
    async (t) => {
      await using server = await testServer({ web: true })
      const { id } = await server.cordelia.says('Old words', { topic: 'books' })
      await server.cordelia.api.patch(`/messages/${id}`, { content: 'New words' })
      const page = await visit(t, server.url, server.hamlet, { size })
      const opensAt = async (anchor: Locator) => {
        if (size === sizes.wide) await isBeside(page, anchor)
        else
          await until(page, `document.querySelector('dialog.popover').getBoundingClientRect().bottom === innerHeight`)
      }
      await openTopic(page, server, 'general', 'books')
      const edited = message(page, 'New words').getByRole('button', { name: 'edited' })
      await edited.click()
      await popover(page).getByText('Old').first().waitFor()
      await opensAt(edited)
      await page.keyboard.press('Escape')
      await popover(page).waitFor({ state: 'detached' })
      await until(page, `document.activeElement.textContent === 'edited'`)

      await page.goto('/#settings/profile')
      const own = page.getByRole('button', { name: 'Set a status' })
      await own.click()
      await popover(page).getByRole('textbox').waitFor()
      await opensAt(own)
      await popover(page).getByRole('button', { name: 'Choose an emoji' }).click()
      await popover(page).getByLabel('Search emoji').waitFor()
      await opensAt(own)
    },
  )

const idOf = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('article[id]').id.replace('message-', '')`)

browserTest('on a phone, a popover comes from below', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await openTopic(page, server, 'general', 'books')
  await message(page, 'Words').getByRole('button', { name: 'cordelia', exact: true }).click()
  await popover(page).waitFor()
  await until(
    page,
    `(() => {
      const { left, right, bottom } = document.querySelector('dialog.popover').getBoundingClientRect()
      return left === 0 && right === innerWidth && bottom === innerHeight
    })()`,
  )
  await page.mouse.click(100, 50)
  await popover(page).waitFor({ state: 'detached' })
})
