import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { fillConversation, overlays } from './all-overlays.ts'
import { administratorViews, fillSettings, views } from './all-views.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { settles } from './gestures.ts'

/**
 * Visible controls that are lower than a fingertip. Not those in text, and not small ones side by side that have room
 * around them.
 */
const small = `[...document.querySelectorAll('button, select, input, summary, a.button, a.row, [role=tab], [role=option]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.closest('dialog, [role=menu]') || !one.closest('.message, .line'))
  .filter((one) => !one.closest('.swatches, .skip, .resizer, .hidden'))
  .map((one) => (one.matches('[type=checkbox], [type=radio]') ? one.closest('label') ?? one : one))
  .map((one) => one.closest('.file-input') ?? one)
  .filter((one) => Math.round(one.getBoundingClientRect().height) < 44)
  .map((one) => one.outerHTML.slice(0, 160))`

/** Dialogs, and what they scroll, that are wider than their room. */
const sideways = `[...document.querySelectorAll('dialog[open], dialog[open] .scrolling, main, .compose, html')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 160))`

for (const [name, size] of [
  ['a phone', sizes.phone],
  ['a tablet', { width: 820, height: 1180 }],
] as const) {
  browserTest(`on ${name}, every control is as large as a fingertip`, async (t) => {
    await using server = await testServer({
      web: true,
      clock: manualClock(Date.now()),
      streams: { reports: { private: true, members: ['iago'] } },
    })
    const group = await fillSettings(server.people)
    const page = await visit(t, server.url, server.people.iago, { size, touch: true })
    for (const view of [...new Set([...views, ...administratorViews]), group, `${group}/general`]) {
      await page.goto(`/${view}`)
      await settles(page, server)
      assert.deepEqual(await page.evaluate(small), [], view)
    }
  })

  browserTest(`on ${name}, dialogs, menus and forms have controls as large as a fingertip, and fit`, async (t) => {
    await using server = await testServer({
      web: true,
      clock: manualClock(Date.now()),
      gifApiKeys: { giphy: 'k' },
      streams: { reports: { private: true, members: ['iago'] } },
    })
    await fillConversation(server)
    const page = await visit(t, server.url, server.people.iago, { size, touch: true })
    for (const [overlay, opens] of Object.entries(overlays)) {
      await opens(page, server)
      await settles(page, server)
      assert.deepEqual(await page.evaluate(small), [], overlay)
      assert.deepEqual(await page.evaluate(sideways), [], overlay)
      await page.goto('about:blank')
      await page.goto('/')
    }
  })
}
