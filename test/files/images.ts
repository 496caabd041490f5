import { crc32 } from 'node:zlib'

/** Small images built by hand, so that each test controls what is in them. */

export type Bytes = Uint8Array<ArrayBuffer>
const latin1 = (text: string): Bytes => Uint8Array.from(Buffer.from(text, 'latin1'))
const concat = (...parts: Uint8Array[]): Bytes => Uint8Array.from(Buffer.concat(parts))
const fromBase64 = (text: string): Bytes => Uint8Array.from(Buffer.from(text, 'base64'))

function pngChunk(type: string, data: Uint8Array): Bytes {
  const whole = Buffer.alloc(data.length + 12)
  whole.writeUInt32BE(data.length)
  whole.write(type, 4, 'latin1')
  whole.set(data, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
  return Uint8Array.from(whole)
}

/** A PNG that declares this size; with more than one frame, an animated one. */
export function png({ width = 1, height = 1, frames = 1 } = {}): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  // The pixel of the smallest PNG, deflated.
  const pixel = fromBase64('eNpjZPjPUA8AA4YBgA==')
  const animation = Buffer.alloc(8)
  animation.writeUInt32BE(frames)
  const animated = frames > 1
  return concat(
    latin1('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', header),
    ...(animated ? [pngChunk('acTL', animation), pngChunk('fcTL', new Uint8Array(26))] : []),
    pngChunk('IDAT', pixel),
    ...(animated ? [pngChunk('fcTL', new Uint8Array(26)), pngChunk('fdAT', concat(new Uint8Array(4), pixel))] : []),
    pngChunk('IEND', new Uint8Array()),
  )
}

const uint16 = (value: number): number[] => [value & 255, value >> 8]

/** Returns a GIF with a global table of two colors, a loop, a comment, and frames of one pixel. */
export function gif({ width = 1, height = 1, frames = 1 } = {}): Bytes {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
  return concat(
    latin1('GIF89a'),
    Uint8Array.from([...uint16(width), ...uint16(height), 0x80, 0, 0]),
    new Uint8Array(6),
    latin1('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0'),
    latin1('\x21\xfe\x05hello\0'),
    Uint8Array.from(Array.from({ length: frames }, () => [...control, ...frame]).flat()),
    latin1('\x3b'),
  )
}

/** A JPEG that is complete except for its image data. */
export function jpeg({ width = 1, height = 1 } = {}): Bytes {
  const frame = [0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]
  return concat(
    Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    // A fill byte before a marker, and a table whose contents look like a frame header.
    Uint8Array.from([0xff, 0xff, 0xdb, 0, 6, 0xff, 0xc0, 0, 11]),
    Uint8Array.from(frame),
    Uint8Array.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 0xff, 0xd9]),
  )
}

/** One lossless pixel, one lossy one. */
export const webpLossless = fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')
export const webpLossy = fromBase64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')

function riffChunk(type: string, data: Uint8Array): Bytes {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return concat(latin1(type), size, data, new Uint8Array(data.length % 2))
}
const uint24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16]

/** An animated WebP with this number of one-pixel frames; lossy ones with an alpha plane of their own. */
export function webp({ width = 1, height = 1, frames = 2, alpha = false } = {}): Bytes {
  const header = Uint8Array.from([0x12, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)])
  const pixels = alpha ? concat(riffChunk('ALPH', latin1('\0\x7f')), webpLossy.subarray(12)) : webpLossless.subarray(12)
  const frame = riffChunk('ANMF', concat(new Uint8Array(16), pixels))
  const chunks = [riffChunk('VP8X', header), riffChunk('ANIM', new Uint8Array(6))]
  return riffChunk('RIFF', concat(latin1('WEBP'), ...chunks, ...Array.from({ length: frames }, () => frame)))
}
