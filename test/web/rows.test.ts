import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('inbox and recent conversations show who wrote last and the first words', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.iago.says('Who goes there?', { topic: 'watch' })
  const { id } = await server.cordelia.says('**Stand** and unfold yourself', { topic: 'watch' })
  const page = await visit(t, server.url, server.hamlet)
  const excerpt = page.locator('.conversation', { hasText: 'watch' }).locator('.excerpt')
  await page.getByText('cordelia: Stand and unfold yourself').waitFor()
  await server.cordelia.api.patch(`/messages/${id}`, { content: 'The bell beats $$x^2$$ times' })
  await page.getByText('cordelia: The bell beats x^2 times').waitFor()
  await server.cordelia.api.patch(`/messages/${id}`, { content: 'Long live the king' })
  await page.goto('/#recent')
  await page.getByText('cordelia: Long live the king').waitFor()
  assert.equal(await excerpt.count(), 1)
  await page.locator('.conversation', { hasText: 'watch' }).getByText('general ›').waitFor()
})
