import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic } from './gestures.ts'

const DAY_MS = 24 * 3600 * 1000

browserTest('shows what was missed by day and topic with participants, and marks it as read', async (t) => {
  const clock = manualClock(Date.now() - 2 * DAY_MS)
  await using server = await testServer({ web: true, clock })
  const { hamlet, cordelia, iago } = server.people
  await hamlet.api.post('/mark_all_as_read')
  await cordelia.says('Rosemary', { topic: 'herbs' })
  clock.advance(2 * DAY_MS)
  await cordelia.says('Columbines', { topic: 'herbs' })
  await iago.says('Fennel for you', { topic: 'herbs' })
  await iago.says('A word', { people: [hamlet] })
  const page = await visit(t, server.url, hamlet)
  await page.getByRole('link', { name: 'What you missed' }).click()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: /Today.*3 messages in 2 conversations/ }).waitFor()
  assert.equal(await main.getByRole('heading', { level: 2 }).count(), 2)
  const herbs = main.getByRole('link', { name: /herbs/ }).first()
  assert.match(await herbs.innerText(), /2 messages from .*cordelia.* and .*iago/)
  assert.match(await herbs.innerText(), /Columbines[\s\S]*Fennel for you/)
  await herbs.click()
  await message(page, 'Columbines').waitFor()
  await page.goBack()
  await main.getByRole('heading', { name: 'What you missed' }).waitFor()
  await main.getByRole('button', { name: 'Mark all as read' }).click()
  await main.getByText("You're all caught up.").waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await main.getByRole('link', { name: /iago/ }).first().waitFor()
})

browserTest('filters and sorts recent conversations, and remembers that', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia } = server.people
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  await hamlet.says('Mine', { topic: 'zebra' })
  await cordelia.says('Read', { topic: 'apple' })
  await cordelia.says('Read, too', { topic: 'plum' })
  await cordelia.says('Quiet', { topic: 'muted one' })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'muted one', visibility_policy: 1 })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'apple', visibility_policy: 3 })
  await hamlet.api.post('/mark_all_as_read')
  await cordelia.says('@**hamlet** come', { topic: 'mango' })
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#recent')
  const main = page.getByRole('main')
  const topics = async () =>
    (await main.locator('.recent .title').allInnerTexts())
      .map((text) => text.replace(/^.*›\s*/, ''))
      .filter((text) => ['zebra', 'apple', 'mango', 'plum', 'muted one'].includes(text))
  const are = async (...wanted: string[]) => {
    await eventually(`the topics are ${wanted}`, async () => (await topics()).join() === wanted.join())
  }
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
  await are('mango', 'plum', 'apple', 'zebra')
  await main.getByLabel('Sort by').selectOption('Name')
  await are('apple', 'mango', 'plum', 'zebra')
  await press('Mentions')
  await are('mango')
  await press('Mentions')
  await press('Participated')
  await are('zebra')
  await press('Participated')
  // The account follows topics that it starts or is mentioned in.
  await press('Followed')
  await are('apple', 'mango', 'zebra')
  await press('Unread')
  await are('mango')
  await press('Participated')
  await main.getByText('No conversations match').waitFor()
  await press('Clear filters')
  await press('Include muted')
  await are('apple', 'mango', 'muted one', 'plum', 'zebra')
  await page.reload()
  await are('apple', 'mango', 'muted one', 'plum', 'zebra')
})

browserTest('a long press on a reaction shows who reacted', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  const { id } = await hamlet.says('Words', { topic: 'books' })
  for (const { api } of [cordelia, iago]) await api.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const page = await visit(t, server.url, hamlet, { size: sizes.phone })
  await openTopic(page, server, 'general', 'books')
  await page.getByRole('button', { name: /^octopus: / }).dispatchEvent('contextmenu')
  const dialog = page.getByRole('dialog', { name: 'Reactions' })
  const octopus = dialog.locator('section').filter({ hasText: 'octopus' })
  await octopus.getByRole('button', { name: 'cordelia' }).waitFor()
  await octopus.getByRole('button', { name: 'iago' }).waitFor()
  assert.equal(await dialog.locator('section').filter({ hasText: 'tada' }).getByRole('button').count(), 1)
})
