import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const chosen = (page: Page) => page.getByRole('option', { selected: true })

async function opens(page: Page): Promise<void> {
  await page.locator('#main-view').focus()
  await page.keyboard.press('Control+k')
  await box(page).waitFor()
}

browserTest('finds conversations, channels, people, messages, settings and commands', async (t) => {
  await using server = await testServer({ web: true, streams: { design: { members: ['hamlet'] } } })
  const { hamlet, cordelia } = server.people
  await cordelia.says('The raven himself is hoarse', { topic: 'Opening scène' })
  await hamlet.says('A word', { stream: 'design', topic: 'new logo' })
  const page = await visit(t, server.url, hamlet)
  await opens(page)

  // All words count, wherever they are in the names of the topic and its channel, and accents don't.
  await box(page).fill('scene gen')
  await group(page, 'Conversations').getByRole('option', { name: 'Opening scène' }).waitFor()
  await box(page).press('Enter')
  await message(page, 'The raven himself').waitFor()

  await opens(page)
  await box(page).fill('logo')
  assert.equal(await chosen(page).locator('mark').textContent(), 'logo')
  await box(page).fill('des')
  await group(page, 'Channels').getByRole('option', { name: 'design' }).click()
  await page.getByRole('heading', { name: 'design' }).waitFor()

  await opens(page)
  await box(page).fill('cord')
  await group(page, 'People').getByRole('option', { name: 'cordelia' }).click()
  await page.getByRole('heading', { name: 'cordelia' }).waitFor()

  await opens(page)
  await box(page).fill('hoarse')
  await group(page, 'Messages').getByRole('option', { name: 'The raven himself is hoarse' }).click()
  await message(page, 'The raven himself').waitFor()
  assert.match(page.url(), /near/)

  await opens(page)
  await box(page).fill('24-hour')
  await group(page, 'Settings').getByRole('option').first().click()
  await page.getByRole('heading', { name: 'Display' }).waitFor()

  await opens(page)
  await box(page).fill('dark')
  await group(page, 'Commands').getByRole('option', { name: 'Dark theme' }).click()
  await until(page, `document.documentElement.dataset.theme === 'dark'`)

  await opens(page)
  await box(page).fill('starred mess')
  await group(page, 'Views').getByRole('option', { name: 'Starred messages' }).click()
  await page.getByRole('heading', { name: 'Starred messages' }).waitFor()
})

browserTest('opens with the conversations opened last, and arrow keys move through it', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  for (const topic of ['one', 'two', 'three']) await cordelia.says(`In ${topic}`, { topic })
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  for (const topic of ['two', 'one', 'three']) await openTopic(page, server, 'general', topic)
  await page.reload()
  await page.getByRole('heading', { name: 'three' }).waitFor()
  await opens(page)
  const recent = group(page, 'Recent').getByRole('option')
  await recent.nth(1).waitFor()
  // The current conversation is not among them.
  assert.deepEqual((await recent.locator('.name').allTextContents()).slice(0, 2), ['one', 'two'])
  assert.equal(await chosen(page).locator('.name').textContent(), 'one')
  await box(page).press('ArrowDown')
  assert.equal(await chosen(page).locator('.name').textContent(), 'two')
  await box(page).press('ArrowUp')
  await box(page).press('ArrowUp')
  // Up from the first is the last, in sight.
  await until(page, `document.querySelector('.palette [aria-selected=true]').textContent === 'Sign out'`)
  await box(page).press('ArrowDown')
  await box(page).press('ArrowDown')
  await box(page).press('Enter')
  await message(page, 'In two').waitFor()

  // Nothing but the search of messages matches.
  await opens(page)
  await box(page).fill('in three zzz')
  await group(page, 'Messages').getByRole('option', { name: 'Search messages for “in three zzz”' }).waitFor()
  await box(page).press('Enter')
  await page.getByText('No messages match your search').waitFor()
})

browserTest('follows the renames of conversations opened before', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, iago, cordelia } = server.people
  const renames = ({ id }: { id: number }, topic: string) =>
    iago.api.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' })
  const plays = await cordelia.says('In plays', { topic: 'plays' })
  const masks = await cordelia.says('In masks', { topic: 'masks' })
  await cordelia.says('In garden', { topic: 'garden' })
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  for (const topic of ['plays', 'masks', 'garden']) await openTopic(page, server, 'general', topic)
  await renames(plays, 'theatre')
  await opens(page)
  const names = `[...document.querySelectorAll('[role=group][aria-label=Recent] .name')].map((one) => one.textContent).join()`
  await until(page, `${names}.startsWith('masks,theatre')`)
  await page.keyboard.press('Escape')
  // The page doesn't see this one.
  await page.goto('about:blank')
  await renames(masks, 'disguises')
  await page.goto('/')
  await openTopic(page, server, 'general', 'garden')
  await opens(page)
  await until(page, `${names}.includes('disguises') && !/masks|plays/.test(${names})`)
})

browserTest('keeps what is typed while the palette loads', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  let load = () => {}
  const held = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/web/loaded-palette-*.js', async (route) => {
    await held
    await route.continue()
  })
  await signIn(page, server.hamlet)
  await page.locator('#main-view').focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('recent')
  await page.getByRole('dialog').waitFor()
  load()
  await group(page, 'Views').getByRole('option', { name: 'Recent conversations' }).waitFor()
  assert.equal(await box(page).inputValue(), 'recent')
  await box(page).press('Enter')
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
})

browserTest('fills the screen of a phone, where Search opens it', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Anyone?', { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await page.locator('.bottom-bar').getByRole('button', { name: 'Search' }).click()
  await box(page).fill('gard')
  const row = group(page, 'Conversations').getByRole('option', { name: 'garden' })
  await row.waitFor()
  const { width, height } = (await page.getByRole('dialog').boundingBox())!
  assert.deepEqual([width, height], [sizes.phone.width, sizes.phone.height])
  assert.ok((await row.boundingBox())!.height >= 44)
  await row.click()
  await message(page, 'Anyone?').waitFor()
})

browserTest('forgets the conversations with the account', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await server.cordelia.says('Secret', { topic: 'ghost' })
  await openTopic(page, server, 'general', 'ghost')
  await until(page, `localStorage.getItem('opened-conversations')?.includes('ghost')`)
  await opens(page)
  await box(page).fill('sign out')
  await group(page, 'Commands').getByRole('option', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.evaluate(`localStorage.getItem('opened-conversations')`), null)
})
