import assert from 'node:assert/strict'
import sharp from 'sharp'
import { thumbnailerOf } from '../../src/core/files/thumbnailer.ts'
import { testServer } from '../../src/testing/index.ts'
import { upload } from '../files/files.ts'
import { violations } from './axe.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { openTopic, settles } from './gestures.ts'

const picture = (color: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
    .png()
    .toBuffer()

for (const size of ['wide', 'phone'] as const) {
  browserTest(`the image viewer names the sender and leads to every image (${size})`, async (t) => {
    await using server = await testServer({ web: true })
    const { iago, hamlet } = server.people
    for (const [sender, color] of [
      [iago, 'red'],
      [hamlet, 'green'],
      [hamlet, 'blue'],
    ] as const) {
      const path = await upload(sender, Uint8Array.from(await picture(color)), `${color}.png`)
      await sender.says(`[${color}.png](${path})`, { topic: 'pictures' })
    }
    await thumbnailerOf(server.chat).settled()
    const page = await visit(t, server.url, hamlet, { size: sizes[size] })
    await openTopic(page, server, 'general', 'pictures')
    await settles(page, server)
    await page.locator('.message_inline_image a').first().click()
    const box = page.getByRole('dialog')
    await box.locator('header .sender').getByText('iago').waitFor()
    await box.locator('header time').waitFor()
    await box.getByText('1 of 3').waitFor()
    const strip = box.getByRole('group', { name: 'All images' })
    const frames = strip.getByRole('button')
    assert.equal(await frames.count(), 3)
    await box.getByRole('button', { name: 'blue.png, 3 of 3' }).click()
    await box.locator('header .sender').getByText('hamlet').waitFor()
    await box.getByText('3 of 3').waitFor()
    assert.equal(await strip.locator('[aria-current="true"]').getAttribute('title'), 'blue.png')
    assert.equal(await box.getByRole('button', { name: 'Next' }).isDisabled(), true)
    assert.equal(await box.getByRole('button', { name: 'Zoom out' }).isDisabled(), true)
    await box.getByRole('button', { name: 'Zoom in' }).click()
    assert.equal(await box.getByRole('button', { name: 'Zoom out' }).isDisabled(), false)
    await box.getByRole('button', { name: 'Previous' }).click()
    await box.getByText('2 of 3').waitFor()
    await box.getByRole('link', { name: 'Open file' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await box.getByRole('button', { name: 'Close' }).click()
    await box.waitFor({ state: 'detached' })
  })
}
