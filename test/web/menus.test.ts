import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

browserTest('marks a topic, stream or everything as read from lists, with undo', async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['hamlet', 'cordelia'] } } })
  const { hamlet, cordelia } = server.people
  await hamlet.api.post('/mark_all_as_read')
  for (const topic of ['feud', 'feud', 'peace']) await cordelia.says('News', { stream: 'verona', topic })
  await cordelia.says('Tidings', { topic: 'court' })
  const page = await visit(t, server.url, hamlet)
  const counts = (wanted: number) => until(page, `document.title.startsWith('(${wanted})')`)
  const inbox = page.getByRole('main')
  await counts(4)
  await inbox.getByRole('button', { name: 'Mark all of verona as read' }).click()
  await counts(1)
  await page.getByText('Marked 3 messages as read.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await counts(4)
  await inbox.getByRole('button', { name: 'Mark all as read', exact: true }).click()
  await inbox.getByText("You're all caught up").waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await counts(4)

  // In the list at the side, where a stream has its topics.
  const side = page.getByRole('navigation', { name: 'Conversations' })
  await side.getByRole('button', { name: 'Topics in verona' }).click()
  const does = async (row: string, item: string) => {
    await side.getByRole('link', { name: row }).hover()
    await side.getByRole('button', { name: `Actions for ${row}` }).click()
    await side.getByRole(/topic/.test(item) ? 'menuitemradio' : 'menuitem', { name: item, exact: true }).click()
  }
  await does('feud', 'Mark all as read')
  await counts(2)
  await does('peace', 'Mute topic')
  await side.locator('li.muted').getByRole('link', { name: 'peace' }).waitFor()
  await counts(1)
  await does('verona', 'Pin to top')
  await until(page, `document.querySelector('[aria-labelledby=streams-title] ul a')?.textContent.includes('verona')`)
  await does('verona', 'Mute channel')
  await side.locator('li.muted').getByRole('link', { name: 'verona' }).waitFor()
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('menus stay fully visible, and undo restores unread messages in the feed', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  for (let i = 1; i <= 30; i++) await cordelia.says(`line ${i}`, { topic: 'long' })
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'long')
  await message(page, 'line 30').hover()
  await message(page, 'line 30').getByRole('button', { name: 'More actions' }).click()
  const isWhole = `(() => {
    const { top, bottom, left, right } = document.querySelector('.menu-list').getBoundingClientRect()
    const last = document.querySelector('.menu-list button:last-child').getBoundingClientRect()
    const seen = document.elementFromPoint((last.left + last.right) / 2, (last.top + last.bottom) / 2)
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && seen.closest('.menu-list') !== null
  })()`
  await page.locator('.menu-list').waitFor()
  await until(page, isWhole)
  await page.keyboard.press('Escape')
  const { id } = await cordelia.says('line 31', { topic: 'long' })
  await until(page, `document.querySelector('#message-${id}:not([data-unread])') !== null`)
  await page.locator('#main-view').focus()
  await page.keyboard.press('k')
  await page.keyboard.press('U')
  await until(page, `document.querySelector('#message-${id}[data-unread]') !== null`)
  await page.keyboard.press('A')
  await until(page, `document.querySelector('#message-${id}:not([data-unread])') !== null`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(page, `document.querySelector('#message-${id}[data-unread]') !== null`)
})

browserTest('hides or explains actions the server or browser would reject', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  const { id } = await iago.says('Words', { topic: '' })
  await iago.api.patch(`/messages/${id}`, { content: 'Other words' })
  const page = await visit(t, server.url, iago)
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'general' })
  await page.goto(`/#narrow/channel/${stream_id}/topic/`)
  await message(page, 'Other words').click()
  await page.getByRole('button', { name: 'Conversation actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename or move…' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Mark as resolved' }).count(), 0)
  // As in a page that came by plain http from another machine.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await page.getByRole('alert').getByText('This browser blocked copying.').waitFor()

  await message(page, 'Other words').focus()
  await page.keyboard.press('H')
  await page.getByRole('dialog', { name: 'Edit history' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Where only moves are shown, a message that was edited has no more than itself.
  for (const policy of ['moves', 'none']) {
    await iago.api.patch('/realm', { message_edit_history_visibility_policy: policy, name: `Shows ${policy}` })
    await page.locator('.account').getByText(`Shows ${policy}`).waitFor()
    await page.keyboard.press('H')
    await page.getByText("Your organization doesn't show edit history.").last().waitFor()
    await page.keyboard.press('i')
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Edit history…' }).count(), 0)
    await page.keyboard.press('Escape')
  }
})
