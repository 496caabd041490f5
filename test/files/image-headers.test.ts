import assert from 'node:assert/strict'
import test from 'node:test'
import { checkImage, formatOf } from '../../src/core/files/images/headers/read.ts'
import { isChatError } from '../../src/core/kernel/errors.ts'
import { processorTime } from '../processor-time.ts'
import { type Bytes, gif, jpeg, png, webp, webpLossless, webpLossy } from './images.ts'

const accepted: Record<string, [bytes: Bytes, content_type: string, animated: boolean]> = {
  PNG: [png(), 'image/png', false],
  'animated PNG': [png({ frames: 2 }), 'image/png', true],
  GIF: [gif(), 'image/gif', false],
  'animated GIF': [gif({ frames: 3 }), 'image/gif', true],
  JPEG: [jpeg(), 'image/jpeg', false],
  'lossless WebP': [webpLossless, 'image/webp', false],
  'lossy WebP': [webpLossy, 'image/webp', false],
  'animated WebP': [webp(), 'image/webp', true],
  'WebP with one frame': [webp({ frames: 1 }), 'image/webp', false],
}

for (const [name, [bytes, content_type, animated]] of Object.entries(accepted)) {
  test(`accepts ${name} by its bytes`, () => {
    assert.deepEqual(checkImage(bytes), { width: 1, height: 1, animated, content_type })
  })
}

const text = (words: string): Bytes => Uint8Array.from(Buffer.from(words))
const refused: Record<string, Bytes> = {
  nothing: text(''),
  text: text('not an image at all'),
  'an SVG': text('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  'a page': text('<!doctype html><script>alert(1)</script>'),
  'a PDF': text('%PDF-1.7\n'),
  'a bitmap': text('BM\x46\x00\x00\x00'),
  'only a magic number of PNG': png().subarray(0, 8),
  'a PNG without pixels': png().subarray(0, 33),
  'only a magic number of GIF': text('GIF89a'),
  'a GIF without frames': gif({ frames: 0 }),
  'only a magic number of JPEG': jpeg().subarray(0, 3),
  'a JPEG without pixels': jpeg().subarray(0, 30),
  'a RIFF that is sound': text('RIFF\x04\0\0\0WAVE'),
  'a WebP without pixels': webp({ frames: 0 }),
  'an image without width': png({ width: 0 }),
}

const message = 'Invalid image file. Use a PNG, GIF, JPEG or WebP image.'
for (const [name, bytes] of Object.entries(refused)) {
  test(`rejects ${name}`, () => {
    assert.throws(() => checkImage(bytes), { code: 'BAD_IMAGE', message })
  })
}

test('accepts 2048 pixels a side and rejects one more in every format', () => {
  const side = { width: 2048, height: 2048 }
  for (const make of [png, gif, jpeg, webp]) {
    assert.equal(checkImage(make(side)).width, 2048)
    for (const larger of [
      { ...side, width: 2049 },
      { ...side, height: 2049 },
    ]) {
      const tooLarge = { code: 'BAD_IMAGE', message: 'Image is too large. Each side can have at most 2048 pixels.' }
      assert.throws(() => checkImage(make(larger)), tooLarge)
    }
  }
})

test('limits frames times pixels of an animation whatever its header says', () => {
  const large = { width: 1024, height: 1024 }
  for (const make of [png, gif, webp]) {
    assert.equal(checkImage(make({ ...large, frames: 50 })).animated, true)
    assert.throws(() => checkImage(make({ ...large, frames: 51 })), {
      code: 'BAD_IMAGE',
      message: 'Animation is too large. 51 frames of 1024 by 1024 pixels exceed the limit of 52428800 pixels.',
    })
  }
  // Two frames declared, sixty present.
  const frames = Uint8Array.from(Buffer.concat(Array.from({ length: 60 }, () => png({ frames: 2 }).subarray(53, 91))))
  const start = png({ ...large, frames: 2 })
  const liar = Uint8Array.from(Buffer.concat([start.subarray(0, 53), frames, start.subarray(53)]))
  assert.throws(() => checkImage(liar), /Animation is too large/)
})

test('rejects an animation with too many parts', () => {
  assert.throws(() => checkImage(gif({ frames: 6000 })), { code: 'BAD_IMAGE', message })
})

test('accepts an animation only if its first frame can be shown alone', () => {
  const animation = webp({ frames: 2 })
  const broken = animation.slice()
  // The first frame's pixels are in an unknown format.
  broken.set(Buffer.from('NONE'), Buffer.from(animation).indexOf('VP8L'))
  assert.throws(() => checkImage(broken), /The first frame of the animation cannot be displayed on its own/)
})

test('accepts or rejects damaged images quickly', () => {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 0x7fffffff
    return seed
  }
  const tryAll = () => {
    for (const make of [png, gif, jpeg, webp]) {
      for (let round = 0; round < 2000; round++) {
        const bytes = make({ frames: 3 }).slice()
        for (let i = 0; i < 1 + (round % 5); i++) bytes[random() % bytes.length] = random() & 255
        const cut = bytes.subarray(0, round % 3 ? bytes.length : random() % bytes.length)
        try {
          formatOf(checkImage(cut).content_type)!.still?.(cut)
        } catch (error) {
          assert.ok(isChatError(error) && error.code === 'BAD_IMAGE', String(error))
        }
      }
    }
  }
  assert.ok(processorTime(tryAll) < 5000)
})

test('parses five megabytes of tiny chunks quickly', () => {
  const tryAll = () => {
    for (const start of [png().subarray(0, 33), gif({ frames: 0 }).subarray(0, 13), webpLossless.subarray(0, 16)]) {
      const bytes = new Uint8Array(5 * 1024 * 1024)
      bytes.set(start)
      try {
        checkImage(bytes)
      } catch (error) {
        assert.ok(isChatError(error))
      }
    }
  }
  assert.ok(processorTime(tryAll) < 1000)
})

const animations: Record<string, Bytes> = {
  PNG: png({ frames: 2 }),
  GIF: gif({ frames: 2 }),
  WebP: webp({ frames: 2 }),
  'WebP with an alpha plane': webp({ frames: 2, alpha: true }),
}
for (const [name, bytes] of Object.entries(animations)) {
  test(`the first frame of an animated ${name} is an image of its own`, () => {
    const { content_type, animated } = checkImage(bytes)
    assert.equal(animated, true)
    const still = formatOf(content_type)!.still!(bytes)!
    assert.deepEqual(checkImage(still), { width: 1, height: 1, animated: false, content_type })
  })
}

test('extracts the first frame of a GIF and a PNG as a still image', () => {
  assert.deepEqual(formatOf('image/gif')!.still!(gif({ frames: 3 })), gif({ frames: 1 }))
  assert.deepEqual(formatOf('image/png')!.still!(png({ frames: 3 })), png({ frames: 1 }))
})
