import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends } from './gestures.ts'

async function moderated() {
  const server = await testServer({ web: true, streams: { moderators: { private: true, members: ['iago'] } } })
  const { iago, cordelia } = server.people
  await iago.api.patch('/realm', { moderation_request_channel_id: await server.streamId('moderators') })
  await iago.api.patch(`/users/${cordelia.id}`, { role: 300 })
  return server
}

browserTest('takes a report, silences its author, deletes the message and closes the report', async (t) => {
  await using server = await moderated()
  const { hamlet, iago, cordelia } = server.people
  const { id } = await hamlet.says('Buy now', { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, cordelia)
  await page.goto(`${server.url}/#settings/reports`)
  await page.getByText('No reports.').waitFor()
  // It comes by its event.
  await iago.api.post(`/messages/${id}/report`, { report_type: 'spam', description: 'an advertisement' })
  const row = page.getByRole('listitem', { name: 'Report of a message by hamlet' })
  await row.getByText('Buy now').waitFor()
  await row.getByText('iago: Spam. an advertisement').waitFor()
  await row.getByRole('button', { name: 'Take' }).click()
  await page.getByText('No reports.').waitFor()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('taken')
  await row.getByText('Taken by cordelia.').waitFor()

  await row.getByRole('button', { name: 'Moderate author…' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Apply' }).isDisabled())
  await dialog.getByRole('checkbox', { name: /^Silence/ }).check()
  await dialog.getByRole('combobox', { name: 'Silence for' }).selectOption('1 day')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('No ads')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  const answer = await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' })
  assert.match(answer.msg, /Reason: No ads$/)

  await row.getByRole('button', { name: 'Delete message' }).click()
  await dialog.getByRole('button', { name: 'Delete message' }).click()
  await row.getByText('The message is deleted.').waitFor()
  await row.getByRole('button', { name: 'Close…' }).click()
  await dialog.getByRole('textbox').fill('Ads are forbidden')
  await dialog.getByRole('button', { name: 'Close report' }).click()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('closed')
  await row.getByText('Closed by cordelia. Ads are forbidden').waitFor()
})

browserTest('offers only private channels for reports', async (t) => {
  await using server = await moderated()
  const page = await visit(t, server.url, server.people.iago)
  await page.goto(`${server.url}/#settings/organization`)
  const options = async (name: RegExp) => page.getByRole('combobox', { name }).locator('option').allTextContents()
  await page.getByRole('combobox', { name: /reports/i }).waitFor()
  assert.deepEqual((await options(/reports/i)).slice(1), ['moderators'])
  assert.deepEqual((await options(/new channels/i)).slice(1), ['general', 'moderators'])
})

browserTest("offers to report other people's messages, not one's own", async (t) => {
  await using server = await moderated()
  const { hamlet, cordelia } = server.people
  await cordelia.says('Mine', { stream: 'general', topic: 'offers' })
  await hamlet.says('Theirs', { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'offers')
  for (const [text, reports] of [
    ['Theirs', 1],
    ['Mine', 0],
  ] as const) {
    await message(page, text).click()
    await message(page, text).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Report…' }).count(), reports)
    await page.keyboard.press('Escape')
  }
})

browserTest('deletes everything somebody wrote from the profile card, after the number of messages', async (t) => {
  await using server = await moderated()
  const { hamlet, cordelia } = server.people
  for (const text of ['Buy one', 'Buy two']) await hamlet.says(text, { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'offers')
  await message(page, 'Buy one').getByRole('button', { name: 'hamlet' }).first().click()
  await page.getByRole('button', { name: 'Moderate…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Delete all 2 messages' }).check()
  await dialog.getByRole('checkbox', { name: 'Deactivate the account' }).check()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Spam')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('heading', { name: /Delete 2 messages by hamlet\?/ }).waitFor()
  await dialog.getByRole('button', { name: 'Delete 2 messages' }).click()
  await message(page, 'Buy one').waitFor({ state: 'detached' })
  await eventually('the account is off', async () => {
    const { user } = await cordelia.api.get(`/users/${hamlet.id}`)
    return user.is_active === false
  })
})

browserTest('offers neither the queue nor moderation to members', async (t) => {
  await using server = await moderated()
  const { hamlet, cordelia } = server.people
  await cordelia.says('hello', { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, hamlet)
  await page.goto(`${server.url}/#settings/reports`)
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Reports' }).count(), 0)
  await openTopic(page, server, 'general', 'offers')
  await message(page, 'hello').getByRole('button', { name: 'cordelia' }).first().click()
  await page.getByRole('button', { name: 'View messages' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Moderate…' }).count(), 0)
})

browserTest('holds the first messages of a member, and sends them once a moderator approves', async (t) => {
  await using server = await moderated()
  const { hamlet, iago, cordelia } = server.people
  await iago.api.patch('/realm', { hold_first_messages: 5 })
  const author = await visit(t, server.url, hamlet)
  await openTopic(author, server, 'general', 'offers')
  await sends(author, 'My first words')
  await message(author, 'My first words').getByText('Waiting for approval').waitFor()
  const page = await visit(t, server.url, cordelia)
  await page.goto(`${server.url}/#settings/reports`)
  const row = page.getByRole('listitem', { name: 'Held message from hamlet' })
  await row.getByText('My first words').waitFor()
  await row.getByRole('button', { name: 'Approve and trust author' }).click()
  await row.waitFor({ state: 'detached' })
  await message(author, 'My first words').getByText('Waiting for approval').waitFor({ state: 'detached' })
  await message(author, 'My first words').waitFor()
  await sends(author, 'Trusted words')
  await eventually('it is sent', async () => {
    const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    return messages[0].content.includes('Trusted words')
  })
})

browserTest('shows what waits under Scheduled, and takes it back', async (t) => {
  await using server = await moderated()
  const { hamlet, iago } = server.people
  await iago.api.patch('/realm', { hold_first_messages: 5 })
  await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'offers', content: 'Patience' })
  const page = await visit(t, server.url, hamlet)
  await page.goto(`${server.url}/#scheduled`)
  await page.getByRole('heading', { name: 'Waiting for approval' }).waitFor()
  await page.getByText('Patience').waitFor()
  await page.getByRole('button', { name: 'Cancel message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click()
  await page.getByText('Patience').waitFor({ state: 'detached' })
  assert.deepEqual((await hamlet.api.get('/held_messages', { own: true })).held_messages, [])
})

browserTest('adds, tests and removes a content filter', async (t) => {
  await using server = await moderated()
  const { hamlet, iago } = server.people
  const page = await visit(t, server.url, iago)
  await page.goto(`${server.url}/#settings/filters`)
  await page.getByText('No filters yet.').waitFor()
  await page.getByRole('combobox', { name: 'Matches' }).selectOption('Links to a domain')
  await page.getByRole('textbox', { name: 'Words, domain or regular expression (RE2)' }).fill('shop.example')
  await page.getByRole('textbox', { name: 'Message to the author (optional)' }).fill('No shops.')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByText('Links to a domain · Reject · No shops.').waitFor()
  await page.getByRole('textbox', { name: 'Sample message' }).fill('see www.shop.example')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Matches shop.example.').waitFor()
  const says = () =>
    hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'shop.example' })
  assert.equal((await says()).msg, 'No shops.')
  await page.getByRole('button', { name: 'Remove shop.example' }).click()
  await page.getByText('No filters yet.').waitFor()
  assert.equal((await says()).result, 'success')
})

browserTest('leads to new terms before the page, and continues when they are accepted', async (t) => {
  await using server = await moderated()
  const { hamlet, iago } = server.people
  await hamlet.says('hello', { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, hamlet)
  await iago.api.patch('/realm', { terms_text: 'Be **kind**.' })
  await page.reload()
  await page.getByRole('heading', { name: 'Terms' }).waitFor()
  await page.getByRole('checkbox', { name: 'I accept these terms' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.shell').waitFor()
})
