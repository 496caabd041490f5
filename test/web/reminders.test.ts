import assert from 'node:assert/strict'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic } from './gestures.ts'

browserTest('reminds of a message with a note, and lists and cancels reminders', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, iago } = server.people
  await iago.says('Remember me', { stream: 'general', topic: 'ghost' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'ghost')
  const remind = async (note: string, when: RegExp) => {
    await message(page, 'Remember me').hover()
    await message(page, 'Remember me').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remind me…' }).click()
    await page.getByRole('textbox', { name: 'Note (optional)' }).fill(note)
    await page.getByRole('dialog').getByRole('button', { name: when }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await remind('answer him', /In an hour/)
  await remind('', /Tomorrow morning/)
  await page.getByRole('link', { name: /Scheduled/ }).click()
  const reminders = page.getByRole('region', { name: 'Reminders' })
  await reminders.getByText('Remember me').nth(1).waitFor()
  await reminders.getByRole('button', { name: 'Cancel reminder' }).nth(1).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel reminder' }).click()
  await eventually('one is left', async () => (await hamlet.api.get('/reminders')).reminders.length === 1)
  await reminders.getByRole('link').nth(1).waitFor({ state: 'detached' })
  await reminders.getByRole('link').click()
  await message(page, 'Remember me').waitFor()

  server.clock.advance(3_700_000)
  schedulerOf(server.chat).wake()
  await schedulerOf(server.chat).settled()
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.match(messages[0].content, /answer him/)
})

browserTest('reports a message to the moderators where the organization has a channel for it', async (t) => {
  await using server = await testServer({ web: true, streams: { moderators: { private: true, members: ['iago'] } } })
  const { hamlet, iago } = server.people
  await iago.says('Buy now', { stream: 'general', topic: 'offers' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'offers')
  const openMenu = async () => {
    await message(page, 'Buy now').hover()
    await message(page, 'Buy now').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
  }
  await openMenu()
  assert.equal(await page.getByRole('menuitem', { name: 'Report…' }).count(), 0)
  await page.keyboard.press('Escape')
  await iago.api.patch('/realm', { moderation_request_channel_id: await server.streamId('moderators') })
  await eventually('the menu offers reports', async () => {
    await openMenu()
    const isOffered = (await page.getByRole('menuitem', { name: 'Report…' }).count()) === 1
    if (!isOffered) await page.keyboard.press('Escape')
    return isOffered
  })
  await page.getByRole('menuitem', { name: 'Report…' }).click()
  await page.getByRole('textbox', { name: 'Details' }).fill('an advertisement')
  await page.getByRole('dialog').getByRole('button', { name: 'Report' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const narrow = [{ operator: 'channel', operand: 'moderators' }]
  const { messages } = await iago.api.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
  assert.match(messages.at(-1).content, /an advertisement/)
})
