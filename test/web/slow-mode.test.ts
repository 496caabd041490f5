import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends } from './gestures.ts'

browserTest('sets slow mode, counts down in the composer and keeps a rejected text', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, iago } = server.people
  const general = await server.streamId('general')
  await iago.says('Hello', { topic: 'ghost' })
  const settings = await visit(t, server.url, iago)
  await settings.goto(`${server.url}/#streams/${general}`)
  await settings.getByLabel('Slow mode').selectOption('1 hour')
  await eventually('it is set', async () => {
    const { streams } = await iago.api.get('/streams')
    return streams.find((one: { name: string }) => one.name === 'general').slow_mode_seconds === 3600
  })
  await openTopic(settings, server, 'general', 'ghost')
  await settings.getByRole('textbox', { name: 'Message' }).waitFor()

  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'ghost')
  await page.getByText('Slow mode: wait 1 hour between messages.').waitFor()
  await sends(page, 'First')
  await message(page, 'First').waitFor()
  await page.getByText(/^Slow mode: you can send your next message in \d+ minutes\.$/).waitFor()
  await sends(page, 'Second')
  const failed = page.locator('.outgoing.failed')
  await failed.getByText(/Not sent: Slow mode: you can send your next message in (1 hour|\d+ minutes)\./).waitFor()
  await failed.getByText('Second').waitFor()
  // The administrator doesn't wait. A channel without slow mode shows nothing.
  assert.equal(await settings.getByText(/^Slow mode:/).count(), 0)
  await iago.api.patch(`/streams/${general}`, { slow_mode_seconds: 45 })
  await page
    .getByText(/in \d+ seconds\.$/)
    .first()
    .waitFor()
  await iago.api.patch(`/streams/${general}`, { slow_mode_seconds: 0 })
  await page.getByText(/^Slow mode:/).waitFor({ state: 'detached' })
})
