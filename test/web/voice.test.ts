import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

/** Gives the page a microphone that records one tone. */
const recordsTone = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const ear = context.createMediaStreamDestination()
  tone.connect(ear)
  tone.start()
  globalThis.microphone = ear.stream.getTracks()[0]
  return ear.stream
}`

async function opens(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Insert' }).click()
  await page.getByRole('menuitem', { name: 'Voice message…' }).click()
}

browserTest('records a voice message, and plays it with its waveform at another speed', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'voice')
  await page.evaluate(recordsTone)
  await opens(page)
  const form = page.getByRole('dialog', { name: 'Voice message' })
  await form.getByText('Recording 0:01').waitFor()
  await until(page, `document.querySelectorAll('.levels span').length > 5`)
  // The file is uploaded before the next frame.
  await page.evaluate(`{
    const next = requestAnimationFrame
    globalThis.requestAnimationFrame = (run) => setTimeout(next, 500, run)
  }`)
  await form.getByRole('button', { name: 'Add to message' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Attached files' }).getByText('voice-message-').waitFor()
  assert.equal(await page.evaluate('microphone.readyState'), 'ended')
  await page.getByRole('button', { name: /^Remove voice-message-/ }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')

  const sent = message(page, 'voice-message-')
  await sent.getByRole('slider', { name: 'Voice message' }).waitFor()
  assert.equal(await sent.getByText('voice-message-').isVisible(), false)
  assert.equal(await sent.locator('.wave > span').count(), 40)
  const speed = sent.getByRole('button', { name: 'Speed: 1×' })
  await speed.click()
  await sent.getByRole('button', { name: 'Speed: 1.5×' }).click()
  await sent.getByRole('button', { name: 'Speed: 2×' }).click()
  await speed.waitFor()
  await sent.getByRole('slider').fill('0.8')
  await until(page, `document.querySelectorAll('.wave .played').length > 5`)
  await sent.getByRole('button', { name: 'Play' }).click()
  // It ends, and can be played again.
  await until(page, `document.querySelectorAll('.wave .played').length === 0`)
  await sent.getByRole('button', { name: 'Play' }).waitFor()
})

/** Silence in one channel of 8 bits. */
function wave(bytes: number) {
  const file = Buffer.alloc(44 + bytes, 128)
  file.write('RIFF')
  file.writeUInt32LE(36 + bytes, 4)
  file.write('WAVE', 8)
  file.write('fmt ', 12)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(44_100, 24)
  file.writeUInt32LE(44_100, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes, 40)
  return file
}

browserTest('a large file with the name of a recording has a plain player', async (t) => {
  await using server = await testServer({ web: true })
  const { cordelia, hamlet } = server.people
  for (const [topic, size] of [
    ['short', 1e5],
    ['long', 9e6],
  ] as const) {
    const { url } = await cordelia.api.upload('/user_uploads', wave(size), 'voice-message-2026-11-26-0805.ogg')
    await cordelia.says(`[voice-message-${topic}](${url})`, { topic })
  }
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'short')
  await message(page, 'voice-message-').getByRole('slider').waitFor()
  await openTopic(page, server, 'general', 'long')
  await message(page, 'voice-message-long').locator('audio').waitFor()
  await message(page, 'voice-message-long').getByRole('link', { name: 'voice-message-long' }).waitFor()
})

browserTest('says what to do without a microphone, and stops recording when its window closes', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'voice')
  const fails = (name: string) =>
    page.evaluate(`navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}') }`)
  await fails('NotFoundError')
  await opens(page)
  await page.getByText('No microphone found. Connect one and try again.').waitFor()
  await page.keyboard.press('Escape')
  await fails('NotAllowedError')
  await opens(page)
  await page.getByText('This browser blocks the microphone.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add to message' }).isDisabled(), true)
  await page.keyboard.press('Escape')

  await page.evaluate(recordsTone)
  await opens(page)
  await page.getByText('Recording 0:00').waitFor()
  await page.keyboard.press('Escape')
  await until(page, `microphone.readyState === 'ended'`)
  assert.equal(await page.getByRole('list', { name: 'Attached files' }).count(), 0)
})
