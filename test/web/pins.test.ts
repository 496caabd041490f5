import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { violations } from './axe.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic, until } from './gestures.ts'

const pill = (page: Page) => page.locator('.page-header .pins')
const list = (page: Page) => page.getByRole('dialog', { name: 'Pinned messages' })

browserTest('pins a message, and other readers see it and jump to it', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const general = await server.streamId('general')
  const { id } = await iago.says('The **plan** is ready', { topic: 'plans' })
  for (let i = 0; i < 60; i++) await iago.says(`Word ${i}`, { topic: 'plans' })
  await iago.says('Another topic', { topic: 'food' })
  await hamlet.api.post('/mark_all_as_read')
  const owner = await visit(t, server.url, iago)
  await owner.goto(`${server.url}/#narrow/channel/${general}/topic/food`)
  const reader = await visit(t, server.url, hamlet)
  await openTopic(reader, server, 'general', 'plans')
  await message(reader, 'Word 59').waitFor()
  assert.equal(await pill(reader).count(), 0)

  await chooses(owner, 'Another topic', 'Pin to channel')
  await message(owner, 'Another topic').getByText('pinned', { exact: true }).waitFor()
  await owner.getByRole('button', { name: '1 pinned message', exact: true }).waitFor()
  await owner.goto(`${server.url}/#narrow/channel/${general}/topic/plans/near/${id}`)
  await message(owner, 'The plan is ready').waitFor()
  await chooses(owner, 'The plan is ready', 'Pin to channel')

  // The header of a topic counts its own.
  await pill(reader).waitFor()
  await until(reader, `document.querySelector('.pins').getAttribute('aria-label') === '1 pinned message'`)
  // People who may not pin are offered nothing.
  const line = message(reader, 'Word 59')
  await line.hover()
  await line.getByRole('button', { name: 'More actions' }).click()
  await reader.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  assert.equal(await reader.getByRole('menuitem', { name: /pin/i }).count(), 0)
  await reader.keyboard.press('Escape')

  await pill(reader).press('Enter')
  const found = list(reader).getByRole('link', { name: /The plan is ready/ })
  await found.waitFor()
  assert.match(await found.innerText(), /iago[\s\S]*Pinned by iago/)
  assert.equal(await list(reader).getByRole('button', { name: 'Unpin' }).count(), 0)
  assert.deepEqual(await violations(reader), [])
  await found.press('Enter')
  await list(reader).waitFor({ state: 'detached' })
  await message(reader, 'The plan is ready').getByText('pinned', { exact: true }).waitFor()

  // The channel's header counts the pins of all topics, and its list names the topics.
  await owner.goto(`${server.url}/#narrow/channel/${general}`)
  await owner.getByRole('button', { name: '2 pinned messages' }).click()
  await list(owner).getByText('food', { exact: true }).waitFor()
  await list(owner).locator('li', { hasText: 'The plan is ready' }).getByRole('button', { name: 'Unpin' }).click()
  await list(owner).locator('li', { hasText: 'The plan is ready' }).waitFor({ state: 'detached' })
  await pill(reader).waitFor({ state: 'detached' })
  await message(reader, 'The plan is ready').getByText('pinned', { exact: true }).waitFor({ state: 'detached' })
  await list(owner).getByRole('button', { name: 'Unpin' }).click()
  await list(owner).getByText('Nothing is pinned here anymore.').waitFor()
})

browserTest('follows pinned messages that move or are deleted, on a phone', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { id } = await iago.says('Here to stay', { topic: 'plans' })
  await iago.says('Also here', { topic: 'plans' })
  await iago.api.post(`/messages/${id}/pin`)
  const page = await visit(t, server.url, hamlet, { size: sizes.phone, touch: true })
  await openTopic(page, server, 'general', 'plans')
  await pill(page).click()
  await list(page).getByText('Here to stay').waitFor()
  // Words of people whom the reader muted are hidden, as in the feed.
  await hamlet.api.post(`/users/me/muted_users/${iago.id}`)
  await list(page).getByText('Message from someone you muted.').waitFor()
  await hamlet.api.delete(`/users/me/muted_users/${iago.id}`)
  await list(page).getByText('Here to stay').waitFor()
  await page.keyboard.press('Escape')
  await iago.api.patch(`/messages/${id}`, { topic: 'elsewhere', propagate_mode: 'change_one' })
  await pill(page).waitFor({ state: 'detached' })
  await openTopic(page, server, 'general', 'elsewhere')
  await pill(page).waitFor()
  await iago.api.delete(`/messages/${id}`)
  await pill(page).waitFor({ state: 'detached' })
})

browserTest('pins and unpins where several channels are shown', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  await iago.says('In the feed', { topic: 'plans' })
  const page = await visit(t, server.url, iago)
  await page.goto(`${server.url}/#feed`)
  await chooses(page, 'In the feed', 'Pin to channel')
  await message(page, 'In the feed').getByText('pinned', { exact: true }).waitFor()
  await chooses(page, 'In the feed', 'Unpin')
  await message(page, 'In the feed').getByText('pinned', { exact: true }).waitFor({ state: 'detached' })
})
