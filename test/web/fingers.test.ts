import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { closeOverlays, fillConversation, overlays } from './all-overlays.ts'
import { administratorViews, fillSettings, views } from './all-views.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { smallControls, tooWide } from './fingertips.ts'
import { settles } from './gestures.ts'

// accessibility.test.ts and accessible-overlays.test.ts check the same on a phone.
const tablet = { width: 820, height: 1180 }

browserTest('on a tablet, every control is as large as a fingertip', async (t) => {
  await using server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    streams: { reports: { private: true, members: ['iago'] } },
  })
  const group = await fillSettings(server.people)
  const page = await visit(t, server.url, server.people.iago, { size: tablet, touch: true })
  for (const view of [...new Set([...views, ...administratorViews]), group, `${group}/general`]) {
    await page.goto(`/${view}`)
    await settles(page, server)
    assert.deepEqual(await smallControls(page), [], view)
  }
})

browserTest('on a tablet, dialogs, menus and forms have controls as large as a fingertip, and fit', async (t) => {
  await using server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    gifApiKeys: { giphy: 'k' },
    streams: { reports: { private: true, members: ['iago'] } },
  })
  await fillConversation(server)
  const page = await visit(t, server.url, server.people.iago, { size: tablet, touch: true })
  for (const [overlay, opens] of Object.entries(overlays)) {
    await opens(page, server)
    await settles(page, server)
    assert.deepEqual([await smallControls(page), await tooWide(page)], [[], []], overlay)
    await closeOverlays(page)
  }
})
