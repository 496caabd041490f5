import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic, until } from './gestures.ts'

const edit = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })

async function edits(t: TestContext, server: TestServer, text: string): Promise<{ page: Page; id: number }> {
  const { id } = await server.hamlet.says('To be', { topic: 'soliloquy' })
  await server.cordelia.says('Go on', { topic: 'soliloquy' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'soliloquy')
  await chooses(page, 'To be', 'Edit')
  await edit(page).fill(text)
  return { page, id }
}
const contentOf = async ({ hamlet }: TestServer, id: number): Promise<string> =>
  (await hamlet.api.get(`/messages/${id}`, { apply_markdown: false })).message.content

browserTest('an open edit is still open after a reload, and a left one is offered', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { page, id } = await edits(t, server, 'To be, or not')
  await page.reload()
  await edit(page).waitFor()
  assert.equal(await edit(page).inputValue(), 'To be, or not')
  await edit(page).press('Escape')
  await page.goto('/#drafts')
  await page.getByRole('link', { name: /To be, or not/ }).click()
  await edit(page).waitFor()
  await edit(page).press('Escape')
  await message(page, 'To be').getByRole('button', { name: 'Unsaved edit' }).click()
  await edit(page).press('Control+Enter')
  await message(page, 'To be, or not').waitFor()
  await edit(page).waitFor({ state: 'detached' })
  assert.equal(await contentOf(server, id), 'To be, or not')
})

browserTest('the text of an edit becomes a draft when its message is deleted', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { page, id } = await edits(t, server, 'To be, or not to be')
  await server.iago.api.delete(`/messages/${id}`)
  await page.getByText('The message you were editing was deleted. Your text is now a draft.').waitFor()
  await until(page, `document.querySelector('#compose-text').value === 'To be, or not to be'`)

  // Also where that happens while the page is closed.
  await page.getByRole('textbox', { name: 'Message' }).fill('')
  const { id: second } = await server.hamlet.says('Perchance', { topic: 'soliloquy' })
  await chooses(page, 'Perchance', 'Edit')
  await edit(page).fill('Perchance to dream')
  await page.goto('about:blank')
  await server.iago.api.delete(`/messages/${second}`)
  await page.goto('/')
  await openTopic(page, server, 'general', 'soliloquy')
  await until(page, `document.querySelector('#compose-text').value === 'Perchance to dream'`)
})

browserTest('shows both versions when a message changed during an edit, and saves the chosen one', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { page, id } = await edits(t, server, 'Mine')
  await server.hamlet.api.patch(`/messages/${id}`, { content: 'Theirs' })
  await edit(page).press('Control+Enter')
  const conflict = page.getByRole('alert').filter({ hasText: 'This message changed while you were editing it.' })
  await conflict.getByText('Theirs').waitFor()
  assert.equal(await edit(page).inputValue(), 'Mine')
  assert.equal(await contentOf(server, id), 'Theirs')
  await conflict.getByRole('button', { name: 'Keep my version' }).click()
  await server.hamlet.api.patch(`/messages/${id}`, { content: 'Theirs again' })
  await edit(page).press('Control+Enter')
  await conflict.getByText('Theirs again').waitFor()
  await conflict.getByRole('button', { name: 'Use current version' }).click()
  assert.equal(await edit(page).inputValue(), 'Theirs again')
  await edit(page).fill('Both')
  await edit(page).press('Control+Enter')
  await message(page, 'Both').waitFor()
  await edit(page).waitFor({ state: 'detached' })
  assert.equal(await contentOf(server, id), 'Both')
})
