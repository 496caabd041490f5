import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { thumbnailerOf } from '../../src/core/files/thumbnailer.ts'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { upload } from '../files/files.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

browserTest('opens a stream at its newest topic or with all messages', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await cordelia.says('Words, words, words', { topic: 'books' })
  await cordelia.says('Who is there?', { topic: 'watch' })
  const page = await visit(t, server.url, hamlet)
  const name = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'general' })
  const title = (text: string) => until(page, `document.querySelector('main h1').innerText.trim() === '${text}'`)
  await name.click()
  await page.getByRole('heading', { name: 'general watch' }).waitFor()
  await name.click()
  await title('general')
  await message(page, 'Words, words').waitFor()
  await hamlet.api.patch('/settings', { web_channel_default_view: 2 })
  // A later setting, which can be seen, shows that the page knows this one.
  await hamlet.api.patch('/settings', { color_scheme: 2 })
  await until(page, `document.documentElement.dataset.theme === 'dark'`)
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await name.click()
  await title('general')
})

browserTest('the people list follows its style and placement settings', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await cordelia.api.post('/users/me/status', { status_text: 'Reading' })
  const page = await visit(t, server.url, hamlet)
  const people = page.getByRole('complementary', { name: 'People' })
  const set = (values: Record<string, unknown>) => hamlet.api.patch('/settings', values)
  await people.getByText('Reading').waitFor()
  assert.equal(await people.locator('.avatar').count(), 0)
  await set({ user_list_style: 3 })
  await people.locator('.avatar').first().waitFor()
  await set({ user_list_style: 1 })
  await people.getByText('Reading').waitFor({ state: 'detached' })
  assert.equal(await people.locator('.avatar').count(), 0)

  await page.setViewportSize(sizes.middle)
  await people.waitFor({ state: 'hidden' })
  await set({ left_side_userlist: true })
  await people.waitFor()
  const [above, below] = [(await page.locator('.left-sidebar').boundingBox())!, (await people.boundingBox())!]
  assert.deepEqual([below.x, below.width], [above.x, above.width])
  assert.ok(below.y >= above.y + above.height - 1 && below.y + below.height <= sizes.middle.height)
  await openTopic(page, server, 'general', 'watch')
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await people.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await people.waitFor()
})

browserTest('presence stays accurate with a wrong local clock', async (t) => {
  const MINUTE_MS = 60_000
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia, iago } = server.people
  const isHere = (person: typeof hamlet) => person.api.post('/users/me/presence', { status: 'active', ping_only: true })
  await isHere(cordelia)
  await isHere(iago)
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  // Ten minutes slow.
  await page.clock.install({ time: Date.now() - 10 * MINUTE_MS })
  await signIn(page, hamlet)
  const people = page.getByRole('complementary', { name: 'People' })
  const isShown = (name: string, how: string) =>
    people.getByRole('link', { name: new RegExp(`${name}\\s*, ${how}`) }).waitFor()
  await isShown('cordelia', 'active')
  await isShown('iago', 'active')
  for (let minute = 0; minute < 4; minute++) {
    server.clock.advance(MINUTE_MS)
    await isHere(cordelia)
    await page.clock.fastForward(MINUTE_MS)
    await server.idle()
  }
  await isShown('iago', 'offline')
  await isShown('cordelia', 'active')
})

browserTest('a small phone shows a status in full beside a long email address', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  const new_email = 'cordelia.of.the.kingdom.of.britain@castle.example.com'
  await cordelia.api.post('/users/me/status', { status_text: 'With the army of France, and back before Friday' })
  await cordelia.api.patch('/settings', { email_address_visibility: 1 })
  await iago.api.patch(`/users/${cordelia.id}`, { new_email })
  const page = await visit(t, server.url, hamlet, { size: { width: 320, height: 640 } })
  await page.goto('/#people')
  const main = page.getByRole('main')
  for (const text of ['With the army of France', new_email]) {
    const line = main.getByText(text)
    await line.waitFor()
    const beyond = await line.evaluate((element) => element.scrollWidth - element.clientWidth)
    assert.ok(beyond <= 0, `${text}: ${beyond} pixels are cut off`)
  }
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})

browserTest('shows emoji as images or by name', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const { id } = await cordelia.says('Well said :octopus:', { topic: 'books' })
  await cordelia.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'books')
  const said = message(page, 'Well said')
  await said.getByText('🐙').waitFor()
  await hamlet.api.patch('/settings', { emojiset: 'text' })
  await said.getByText(':octopus:').waitFor()
  await said.locator('.reactions').getByText(':tada:').waitFor()
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await page.getByRole('dialog').getByText(':tada:').waitFor()
})

async function animation(): Promise<Uint8Array<ArrayBuffer>> {
  const pictures = ['red', 'blue'].map((background) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  const joined = sharp(await Promise.all(pictures), { join: { animated: true } })
  return Uint8Array.from(await joined.gif().toBuffer())
}

browserTest('plays animations as the setting says', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const path = await upload(cordelia, await animation(), 'ghost.gif')
  await thumbnailerOf(server.chat).settled()
  await cordelia.says(`[it](${path})`, { topic: 'watch' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'watch')
  const image = page.locator('.message_inline_image img')
  const moves = async (does: boolean) => {
    await until(page, `/-anim\\./.test(document.querySelector('.message_inline_image img').src) === ${does}`)
    await until(page, `document.querySelector('.message_inline_image img').naturalWidth === 40`)
  }
  await image.waitFor()
  await moves(false)
  await image.hover()
  await moves(true)
  await page.getByRole('heading', { name: 'watch' }).hover()
  await moves(false)
  await image.locator('xpath=..').focus()
  await moves(true)
  await hamlet.api.patch('/settings', { web_animate_image_previews: 'never' })
  await moves(false)
  await image.hover()
  await moves(false)
  await hamlet.api.patch('/settings', { web_animate_image_previews: 'always' })
  await moves(true)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await image.waitFor()
  await moves(false)
})

/** What the page offers about the time zone; the browser of the tests is in Paris. */
const offer = (page: Page) => page.getByRole('region', { name: 'Time zone' })

browserTest('mentions a time zone that differs from the profile once', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const zone = async () => (await hamlet.api.get('/users/me')).timezone
  const live = (timezone: string) => hamlet.api.patch('/settings', { timezone })
  await live('America/New_York')
  const page = await visit(t, server.url, hamlet)
  await offer(page).getByText('New York').waitFor()
  await offer(page).getByRole('button', { name: 'Not now' }).click()
  await offer(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  assert.equal(await offer(page).count(), 0)
  await live('Asia/Tokyo')
  await offer(page).waitFor()
  await hamlet.api.patch('/settings', { web_suggest_update_timezone: false })
  await offer(page).waitFor({ state: 'detached' })
  await hamlet.api.patch('/settings', { web_suggest_update_timezone: true })
  await offer(page).getByRole('button', { name: 'Update profile' }).click()
  await offer(page).waitFor({ state: 'detached' })
  assert.equal(await zone(), 'Europe/Paris')
  // The same times, by another name.
  await live('Asia/Tokyo')
  await offer(page).waitFor()
  await live('Europe/Berlin')
  await offer(page).waitFor({ state: 'detached' })
})
