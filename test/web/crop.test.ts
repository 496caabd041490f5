import assert from 'node:assert/strict'
import sharp from 'sharp'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { violations } from './axe.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

/** Red at the left, blue at the right. */
const halves = async () => {
  const half = (background: string) => ({ create: { width: 200, height: 200, channels: 3, background } }) as const
  const blue = await sharp(half('blue')).png().toBuffer()
  return sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .png()
    .toBuffer()
}

browserTest('people choose which part of an image is their picture', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/profile')
  const chooser = page.getByLabel('Picture')
  await chooser.setInputFiles({ name: 'halves.png', mimeType: 'image/png', buffer: await halves() })
  const dialog = page.getByRole('dialog', { name: 'Crop picture' })
  await dialog.waitFor()
  assert.deepEqual(await violations(page), [])
  // To the right end, which is blue, by keyboard.
  await dialog.locator('canvas').focus()
  for (let i = 0; i < 15; i++) await page.keyboard.press('ArrowRight')
  await dialog.getByLabel('Zoom').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove picture' }).waitFor()
  const picture = async () => {
    const { avatar_url } = await hamlet.api.get('/users/me')
    const { data, info } = await sharp(Buffer.from(await (await fetch(new URL(avatar_url, server.url))).arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { left: [...data.subarray(0, 3)], isSquare: info.width === info.height }
  }
  await eventually('the part is blue', async () => {
    const { left, isSquare } = await picture()
    return isSquare && left[0]! < 60 && left[2]! > 200
  })
  // What is no image is rejected as before, beside the field.
  await chooser.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  const problem = page.locator('.field:has(input[type=file]) .problem')
  await problem.waitFor()
  assert.match(await problem.innerText(), /isn't an image that the server can read/)
})
