import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

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

browserTest('rows of conversations hide spoilers and show times, polls and links as people read them', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.iago.says('The end:\n```spoiler Who did it\nClaudius\n```', { topic: 'play' })
  await server.iago.says('At <time:2026-11-21T14:05:00Z>', { topic: 'meeting' })
  await server.iago.says('/poll Where do we eat?\nAt home\nAt the inn', { topic: 'lunch' })
  const page = await visit(t, server.url, server.hamlet)
  const excerpt = (topic: string) => page.locator('.conversation', { hasText: topic }).locator('.excerpt')
  await excerpt('play').getByText('iago: The end: Who did it …', { exact: true }).waitFor()
  await excerpt('meeting').getByText('iago: At 21 Nov 2026, 15:05', { exact: true }).waitFor()
  await excerpt('lunch').getByText('iago: Where do we eat? At home At the inn', { exact: true }).waitFor()
})

browserTest('the list of people reaches the bottom of the window before it is scrolled', async (t) => {
  const people = Array.from({ length: 40 }, (_, at) => `person${at}`)
  await using server = await testServer({ web: true, people })
  const page = await visit(t, server.url, server.people.hamlet!)
  await page.locator('.people-sidebar .person').first().waitFor()
  await until(
    page,
    `(() => {
      const { bottom } = document.querySelector('.people-sidebar').getBoundingClientRect()
      const rows = [...document.querySelectorAll('.people-sidebar .person')]
      return rows.at(-1).getBoundingClientRect().bottom >= bottom
    })()`,
  )
})
