import assert from 'node:assert/strict'
import test from 'node:test'
import sharp from 'sharp'
import { drawAvatar } from '../../src/core/users/avatars/draw-avatar.ts'
import { drawnColor } from '../../web/view/parts/drawn-color.ts'

type Rgb = readonly number[]

/** The channels of a color as CSS computes them, from 0 to 255. */
function channelsOf(color: string): Rgb {
  const [, hue, saturation, lightness] = /^hsl\((\d+) (\d+)% (\d+)%\)$/.exec(color)!.map(Number)
  const [s, l] = [saturation! / 100, lightness! / 100]
  return [0, 8, 4].map((n) => {
    const k = (n + hue! / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  })
}

function contrastWithWhite(color: Rgb): number {
  const [r, g, b] = color.map((one) =>
    one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 1.05 / (0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05)
}

test('initials have a contrast of 4.5 : 1 on every color', () => {
  for (let hue = 0; hue <= 360; hue++) {
    const contrast = contrastWithWhite(channelsOf(drawnColor(hue)))
    assert.ok(contrast >= 4.5, `${hue}: ${contrast}`)
  }
})

test("the server's initials avatars have the page's colors", async () => {
  for (const hue of [0, 30, 31, 60, 120, 202, 203, 240, 360]) {
    const image = await drawAvatar({ hue, initials: 'A', size: 'small' })
    const { data } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const expected = channelsOf(drawnColor(hue))
    for (const [at, channel] of [...data.subarray(0, 3)].entries())
      assert.ok(Math.abs(channel - expected[at]!) <= 1, `${hue}: ${[...data.subarray(0, 3)]}, not ${expected}`)
  }
})
