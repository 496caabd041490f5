import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { FetchRequest } from '../../src/network/post.ts'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic, sends, until } from './gestures.ts'

browserTest('shows previews of links, which readers hide and authors remove', async (t) => {
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const html = '<meta property="og:title" content="The Mousetrap"><meta property="og:image" content="/cover.png">'
  const fetch = async ({ url }: FetchRequest) => {
    const isImage = url === 'https://example.com/cover.png'
    const headers = { 'content-type': isImage ? 'image/png' : 'text/html' }
    return { status: 200, headers, bytes: isImage ? image : Buffer.from(html) }
  }
  await using server = await testServer({ web: true, outgoing: { fetch } })
  const { hamlet, cordelia, iago } = server.people
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'play')
  await openTopic(other, server, 'general', 'play')
  await sends(page, 'Without https://example.com/play')
  await message(other, 'Without').waitFor()
  await iago.api.patch('/realm', { inline_url_embed_preview: true, message_content_edit_limit_seconds: 'unlimited' })
  await sends(page, 'With https://example.com/play')
  for (const one of [page, other])
    await message(one, 'With https').locator('.message_embed').getByRole('link', { name: 'The Mousetrap' }).waitFor()
  assert.equal(await page.locator('.message_embed').count(), 1)
  await until(
    other,
    `getComputedStyle(document.querySelector('.message_embed_image')).backgroundImage.includes('/user_uploads/')`,
  )

  await other.goto('/#settings/display')
  await other.getByRole('checkbox', { name: 'Show link previews' }).click()
  await openTopic(other, server, 'general', 'play')
  await message(other, 'With https').locator('.message_embed').waitFor({ state: 'hidden' })

  await chooses(page, 'With https', 'Remove link preview')
  await message(page, 'With https').locator('.message_embed').waitFor({ state: 'detached' })
  await message(page, 'With https').getByRole('link', { name: 'https://example.com/play' }).waitFor()
})
