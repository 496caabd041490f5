import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { closeOverlays, fillConversation, overlays } from './all-overlays.ts'
import { violations } from './axe.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { smallControls, tooWide } from './fingertips.ts'
import { message, openTopic, settles } from './gestures.ts'

for (const size of ['wide', 'phone'] as const) {
  browserTest(`axe finds no violations in the palette, the help, filters and popovers (${size})`, async (t) => {
    await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
    await server.cordelia.says('Words', { topic: 'books' })
    const page = await visit(t, server.url, server.iago, { size: sizes[size] })
    const check = async (what: string) => assert.deepEqual(await violations(page), [], what)
    await settles(page, server)
    await page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name: 'Mentions' }).click()
    await page.getByText('No conversations match these filters.').waitFor()
    await check('an inbox with filters')
    await page.locator('#main-view').focus()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Search everything' })
    await box.waitFor()
    await check('the palette')
    await box.fill('words')
    await page
      .getByRole('group', { name: 'Messages' })
      .getByRole('option', { name: 'Words', exact: false })
      .first()
      .waitFor()
    await check('what it finds')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('tab', { name: 'Formatting' }).click()
    await page.locator('.formatting-help .katex').waitFor()
    await check('the formatting')
    await page.keyboard.press('Escape')
    await openTopic(page, server, 'general', 'books')
    await message(page, 'Words').getByRole('button', { name: 'cordelia', exact: true }).click()
    await page.getByText('Member', { exact: true }).waitFor()
    await check('a profile card')
  })
}

// On a phone, controls must also be as large as a fingertip, and fit.
for (const size of ['wide', 'phone'] as const) {
  browserTest(`axe finds no violations in dialogs, menus and forms of conversations (${size})`, async (t) => {
    await using server = await testServer({
      web: true,
      clock: manualClock(Date.now()),
      gifApiKeys: { giphy: 'k' },
      streams: { reports: { private: true, members: ['iago'] } },
    })
    await fillConversation(server)
    const page = await visit(t, server.url, server.iago, { size: sizes[size] })
    for (const [name, opens] of Object.entries(overlays)) {
      await opens(page, server)
      await settles(page, server)
      if (size === 'phone') assert.deepEqual([await smallControls(page), await tooWide(page)], [[], []], name)
      assert.deepEqual(await violations(page), [], name)
      await closeOverlays(page)
    }
  })
}
