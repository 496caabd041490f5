import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic, sends, settles, until, writes } from './gestures.ts'

browserTest('warns before sending when a topic moves while someone writes, and keeps the text', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { iago, hamlet } = server.people
  const { id } = await iago.says('A play is planned', { topic: 'plays' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'plays')
  await message(page, 'A play is planned').waitFor()
  await writes(page, 'The mousetrap')
  await iago.api.patch(`/messages/${id}`, { topic: 'theatre', propagate_mode: 'change_all' })
  await page.getByText('This conversation moved to general › theatre.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.getByText('Choose where to send your message').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'The mousetrap')
  await page.getByRole('button', { name: 'Go to the new conversation' }).click()
  await page.getByRole('heading', { name: 'theatre' }).waitFor()
  await until(page, `document.querySelector('#compose-text')?.value === 'The mousetrap'`)
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.locator('article[id]').filter({ hasText: 'The mousetrap' }).waitFor()
  const { messages } = await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal(messages[0].subject, 'theatre')
})

browserTest('takes readers along when someone renames, resolves or moves their topic', async (t) => {
  await using server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    streams: { attic: { members: ['hamlet'] } },
  })
  const { iago, hamlet } = server.people
  const { id } = await iago.says('The leak is found', { topic: 'leak' })
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'attic' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'leak')
  await message(page, 'The leak is found').waitFor()
  const changes: [change: Record<string, unknown>, heading: string][] = [
    [{ topic: 'roof' }, 'roof'],
    [{ topic: '✔ roof' }, '✔ roof'],
    [{ stream_id }, 'attic'],
  ]
  for (const [change, heading] of changes) {
    await iago.api.patch(`/messages/${id}`, { ...change, propagate_mode: 'change_all' })
    await page.getByRole('heading', { name: heading }).waitFor()
    await message(page, 'The leak is found').waitFor()
  }
  await page.getByText('This conversation is now in attic › ✔ roof.').waitFor()
  // Going back leads past the old name, where nothing is left.
  await page.goBack()
  await page.waitForURL((url) => !url.hash.includes('leak'))
})

browserTest('resolves, renames and marks a topic read from its menu and follows it', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { iago, hamlet, cordelia } = server.people
  await hamlet.says('The leak is found', { topic: 'leak' })
  await hamlet.says('And mended', { topic: 'leak' })
  const page = await visit(t, server.url, iago)
  await openTopic(page, server, 'general', 'leak')
  await message(page, 'And mended').waitFor()
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  // A user who has gone elsewhere stays there.
  server.fail('PATCH */messages/*', { delay: 500 })
  await menu('Mark as resolved')
  await page.goto('/#streams')
  const subject = async () =>
    (await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages[0].subject
  await eventually('it is resolved', async () => (await subject()) === '✔ leak')
  await settles(page, server)
  assert.match(page.url(), /#streams$/)
  await openTopic(page, server, 'general', '✔ leak')
  await message(page, 'And mended').waitFor()
  await menu('Mark as unresolved')
  await until(
    page,
    `document.querySelector('h1').textContent.endsWith('leak') && !document.querySelector('h1').textContent.includes('✔')`,
  )
  await message(page, 'And mended').waitFor()
  await menu('Rename or move…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('roof')
  await dialog.getByText(/\d+ messages will move to general › roof, visible to \d+ people\./).waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByRole('heading', { name: 'roof' }).waitFor()
  await message(page, 'And mended').waitFor()

  await hamlet.api.post('/messages/flags', { messages: [], op: 'add', flag: 'read' })
  await cordelia.api.post('/mark_all_as_read')
  await chooses(page, 'And mended', 'Read by…')
  await page.getByRole('dialog').getByText('cordelia').waitFor()
  await page.keyboard.press('Escape')
  await chooses(page, 'And mended', 'Delete…')
  await page
    .getByRole('dialog')
    .getByText(/It will be deleted for \d+ people in general/)
    .waitFor()
})

browserTest("a message's history shows moves and edits", async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = server.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'verona' })
  const { id } = await iago.says('The feud is over', { topic: 'peace' })
  await iago.api.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_all' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'verona', 'peace')
  await chooses(page, 'The feud is over', 'Edit history…')
  await page.getByRole('dialog').getByText('Moved from “general › peace” to “verona › peace”.').waitFor()
  await page.keyboard.press('Escape')
  await iago.api.patch(`/messages/${id}`, { content: 'The feud is not over' })
  await message(page, 'not over').waitFor()
  await chooses(page, 'not over', 'Edit history…')
  await page.getByRole('dialog').locator('.highlight_text_inserted').filter({ hasText: 'not' }).waitFor()
})

const newest = { anchor: 'newest', num_before: 1, num_after: 0 }

browserTest('keeps an unfinished edit until it is saved or canceled', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'drafting')
  await sends(page, 'To be or not to be')
  await page.locator('article[id]').filter({ hasText: 'To be or not to be' }).waitFor()
  // The up arrow in an empty composer edits the last message.
  await page.getByRole('textbox', { name: 'Message' }).press('ArrowUp')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.fill('To be, or not to be: that')
  await edit.press('Escape')
  await page.getByText('Your changes are saved').waitFor()
  await message(page, 'To be or not to be').waitFor()
  await page.goto('/#inbox')
  await openTopic(page, server, 'general', 'drafting')
  await page.locator('article[id]').first().waitFor()
  await page.locator('#main-view').focus()
  await page.keyboard.press('e')
  await edit.waitFor()
  assert.equal(await edit.inputValue(), 'To be, or not to be: that')
  // Text typed while the edit is being saved stays.
  const { promise: isTyped, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/json/messages/*', async (route) => {
    if (route.request().method() === 'PATCH') await isTyped
    await route.continue()
  })
  await edit.fill('To be, or not to be: that is')
  await edit.press('Control+Enter')
  await edit.press('End')
  await edit.pressSequentially(' the question')
  answer()
  const { id } = (await server.people.hamlet.api.get('/messages', newest)).messages[0]
  const saved = async () => (await server.people.hamlet.api.get(`/messages/${id}`, { apply_markdown: false })).message
  await eventually('it is saved', async () => (await saved()).content.endsWith('that is'))
  await server.idle()
  assert.equal(await edit.inputValue(), 'To be, or not to be: that is the question')
  await edit.press('Control+Enter')
  await message(page, 'that is the question').waitFor()
  await edit.waitFor({ state: 'detached' })
})

browserTest('supports bold text, live preview and mentions with profile cards', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'marks')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('mad')
  await box.press('Control+a')
  await box.press('Control+b')
  await until(page, `document.querySelector('#compose-text').value === '**mad**'`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('region', { name: 'Preview' }).locator('strong').waitFor()
  await box.fill('*north* by northwest @**cordelia**')
  await page.getByRole('region', { name: 'Preview' }).locator('em').waitFor()
  await box.press('Control+Enter')
  await page.getByRole('region', { name: 'Preview' }).waitFor({ state: 'detached' })
  await message(page, 'by northwest').getByRole('button', { name: '@cordelia' }).click()
  await page.getByRole('dialog', { name: 'cordelia' }).waitFor()
  // From the box, too, one gets anywhere.
  await page.keyboard.press('Escape')
  await box.focus()
  await page.keyboard.press('Control+k')
  await until(page, `document.activeElement?.getAttribute('aria-label') === 'Search everything'`)
  await page.keyboard.type('cordelia')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'cordelia', level: 1 }).waitFor()
})
