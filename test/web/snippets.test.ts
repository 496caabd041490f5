import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { openTopic, until, writes } from './gestures.ts'

browserTest('saves the text as a snippet, finds, inserts, changes and deletes it', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.api.post('/saved_snippets', { title: 'Goodbye', content: 'Adieu, adieu, adieu.' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'snippets')
  const opens = async () => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: 'Saved snippet…' }).click()
  }
  const list = page.getByRole('dialog', { name: 'Saved snippets' })
  await writes(page, 'Thanks, we will look at it today.')
  await opens()
  await list.getByRole('button', { name: 'New snippet' }).click()
  const form = page.getByRole('dialog', { name: 'New snippet' })
  assert.equal(await form.getByLabel('Text').inputValue(), 'Thanks, we will look at it today.')
  await form.getByLabel('Name').fill('Thanks')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  await writes(page, '')

  await opens()
  await list.getByRole('searchbox', { name: 'Search snippets' }).fill('LOOK AT')
  await list.getByText('Goodbye').waitFor({ state: 'detached' })
  await list.getByRole('button', { name: /^Thanks/ }).click()
  await until(page, `document.querySelector('#compose-text').value === 'Thanks, we will look at it today.'`)

  await opens()
  await list.getByRole('button', { name: 'Edit Thanks' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit snippet' })
  await edit.getByLabel('Name').fill('Thank you')
  server.fail('PATCH */saved_snippets/*', { status: 403, times: 1 })
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  await opens()
  await list.getByRole('button', { name: /^Thank you/ }).waitFor()
  await list.getByRole('button', { name: 'Delete Goodbye' }).click()
  await list.getByText('Adieu, adieu, adieu.').waitFor({ state: 'detached' })
  server.fail('POST */saved_snippets', { status: 403, times: 1 })
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByText('Adieu, adieu, adieu.').waitFor()
  await list.getByRole('button', { name: 'Delete Goodbye' }).click()
  await list.getByText('Adieu, adieu, adieu.').waitFor({ state: 'detached' })
  const { saved_snippets } = await hamlet.api.get('/saved_snippets')
  assert.deepEqual(
    saved_snippets.map(({ title }: { title: string }) => title),
    ['Thank you'],
  )
})
