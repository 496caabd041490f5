import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

/** A tenth of a second of silence: 800 samples of 8 bits. */
function wav(): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(44 + 800, 128)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + 800, 4)
  file.write('WAVE', 8)
  file.write('fmt ', 12)
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, 800],
  ] as const)
    file.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    file.writeUInt16LE(value, at)
  file.write('data', 36)
  return new Uint8Array(file)
}

browserTest('plays uploaded audio in place, and leaves links to files that it cannot play', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    (await cordelia.api.upload('/user_uploads', bytes, name)).url as string
  await cordelia.says(`Listen: [song.wav](${await upload('song.wav', wav())})`, { topic: 'music' })
  await cordelia.says(`Watch: [film.mp4](${await upload('film.mp4', new Uint8Array(9))})`, { topic: 'music' })
  await cordelia.says(`Read: [notes.txt](${await upload('notes.txt', new Uint8Array(9))})`, { topic: 'music' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'music')
  const player = message(page, 'Listen').locator('audio')
  await player.waitFor()
  assert.equal(await player.getAttribute('aria-label'), 'song.wav')
  await until(page, `document.querySelector('audio').duration > 0.09`)
  await message(page, 'Listen').getByRole('link', { name: 'song.wav' }).waitFor()
  // Nine zero bytes are no film.
  await message(page, 'Watch').locator('.player').waitFor({ state: 'detached' })
  await message(page, 'Watch').getByRole('link', { name: 'film.mp4' }).waitFor()
  assert.equal(await message(page, 'Read').locator('.player').count(), 0)

  // Players are previews.
  await iago.api.patch('/realm', { inline_image_preview: false })
  await page.locator('.player').waitFor({ state: 'detached' })
  await message(page, 'Listen').getByRole('link', { name: 'song.wav' }).waitFor()
})

browserTest("opens a message's history by its mark, if the organization shows it", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  const { id } = await cordelia.says('The first words', { topic: 'edits' })
  await cordelia.api.patch(`/messages/${id}`, { content: 'The last words' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'edits')
  await message(page, 'The last words').getByRole('button', { name: 'edited' }).click()
  await page.getByRole('dialog', { name: 'Edit history' }).getByText('The first words').waitFor()
  await page.keyboard.press('Escape')
  await iago.api.patch('/realm', { message_edit_history_visibility_policy: 'none' })
  await message(page, 'The last words').getByRole('button', { name: 'edited' }).waitFor({ state: 'detached' })
  await message(page, 'The last words').getByText('edited').waitFor()
})
