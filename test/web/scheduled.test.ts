import assert from 'node:assert/strict'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { manualClock, testServer } from '../../src/testing/index.ts'
import type { Scheduled } from '../../web/model/writing/scheduled.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until, writes } from './gestures.ts'

browserTest('schedules, edits and cancels a message', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'play')
  const later = async (text: string, label: RegExp) => {
    await writes(page, text)
    await page.getByRole('button', { name: 'Send later' }).click()
    // Clicking twice schedules it once: otherwise the row below would appear twice.
    server.fail('POST */scheduled_messages', { delay: 300 })
    await page.getByRole('dialog').getByRole('button', { name: label }).dblclick()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), '')
  }
  await later('The mousetrap', /In an hour/)
  await later('Never', /Tomorrow morning/)
  await page.getByRole('link', { name: /Scheduled/ }).click()
  await page.getByRole('heading', { name: 'Scheduled messages' }).waitFor()
  const row = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
  await row('The mousetrap').getByText('general › play').waitFor()

  const times = async () => {
    const { scheduled_messages } = await hamlet.api.get('/scheduled_messages')
    return scheduled_messages.map((one: { scheduled_delivery_timestamp: number }) => one.scheduled_delivery_timestamp)
  }
  const before = await times()
  await row('The mousetrap').getByRole('button', { name: 'Edit or reschedule' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Message' }).fill('The Mousetrap')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await row('The Mousetrap').waitFor()
  // Another text is sent at the same second.
  assert.deepEqual(await times(), before)
  await row('Never').getByRole('button', { name: 'Cancel message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click()
  await row('Never').waitFor({ state: 'detached' })

  server.clock.advance(3_700_000)
  schedulerOf(server.chat).wake()
  await schedulerOf(server.chat).settled()
  await page.getByText('No scheduled messages').waitFor()
  await openTopic(page, server, 'general', 'play')
  await message(page, 'The Mousetrap').waitFor()
  assert.equal((await hamlet.api.get('/scheduled_messages')).scheduled_messages.length, 0)
})

browserTest('explains a time in the past and keeps the message', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now() + 7 * 86_400_000) })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'play')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByText('Write a message first.').waitFor()
  await writes(page, 'Too late')
  await page.getByRole('button', { name: 'Send later' }).click()
  // By the server's clock it is over already.
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'future' }).waitFor()
  await until(page, `document.querySelector('#compose-text')?.value === 'Too late'`)
})

browserTest('schedules a message once although the answer was lost and the request repeated', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'play')
  const dialog = page.getByRole('dialog')
  const isDone = async () => {
    await dialog.waitFor({ state: 'detached' })
    await until(page, `document.querySelector('#compose-text')?.value === ''`)
  }
  const scheduled = async (): Promise<Scheduled[]> => (await hamlet.api.get('/scheduled_messages')).scheduled_messages
  for (const [i, time] of [/In an hour/, 'Schedule'].entries()) {
    await writes(page, `Mousetrap ${i}`)
    await page.getByRole('button', { name: 'Send later' }).click()
    server.fail('POST */scheduled_messages', { status: 502, after: 'commit' })
    await dialog.getByRole('button', { name: time }).click()
    await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    // An hour from now has changed, even if the dialog is closed and opened again.
    const later = Date.now() + (i + 1) * 600_000
    await page.clock.setSystemTime(later)
    if (i === 0) {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Send later' }).click()
    }
    await dialog.getByRole('button', { name: time }).click()
    await isDone()
    if (i === 0) assert.ok((await scheduled())[0]!.scheduled_delivery_timestamp >= Math.floor(later / 1000) + 3600)
  }
  assert.deepEqual((await scheduled()).map(({ content }) => content).sort(), ['Mousetrap 0', 'Mousetrap 1'])

  // After canceling it, the user means another one.
  await writes(page, 'Mousetrap 2')
  await page.getByRole('button', { name: 'Send later' }).click()
  server.fail('POST */scheduled_messages', { status: 502, after: 'commit' })
  await dialog.getByRole('button', { name: 'Tomorrow morning' }).click()
  await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  const mousetrap = async () => (await scheduled()).find(({ content }) => content === 'Mousetrap 2')
  await hamlet.api.delete(`/scheduled_messages/${(await mousetrap())!.scheduled_message_id}`)
  await dialog.getByRole('button', { name: 'Tomorrow morning' }).click()
  await isDone()
  assert.ok(await mousetrap())
})
