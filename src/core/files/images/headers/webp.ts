import { countPart, type ImageFormat, joined, startsWith, textAt, viewOf } from './format.ts'

interface Chunk {
  type: string
  /** Where the data begin, after type and length. */
  start: number
  end: number
}

function* chunks(bytes: Uint8Array, from: number, to = bytes.length): Generator<Chunk> {
  const view = viewOf(bytes)
  let at = from
  for (let part = 0; at + 8 <= to; part++) {
    countPart(part)
    const start = at + 8
    const end = start + view.getUint32(at + 4, true)
    yield { type: textAt(bytes, at, 4), start, end }
    at = end + (end % 2)
  }
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/** Width and height from a lossy, a lossless or an extended header. */
function sizeOf(view: DataView, { type, start }: Chunk): { width: number; height: number } | undefined {
  if (type === 'VP8X') return { width: uint24(view, start + 4) + 1, height: uint24(view, start + 7) + 1 }
  if (type === 'VP8 ') {
    if (uint24(view, start + 3) !== 0x2a019d) return undefined
    return { width: view.getUint16(start + 6, true) & 0x3fff, height: view.getUint16(start + 8, true) & 0x3fff }
  }
  if (type !== 'VP8L' || view.getUint8(start) !== 0x2f) return undefined
  const bits = view.getUint32(start + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const isPixels = ({ type }: Chunk): boolean => type === 'VP8 ' || type === 'VP8L'

export const webp: ImageFormat = {
  content_type: 'image/webp',
  extension: 'webp',
  recognizes: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  read(bytes) {
    const all = [...chunks(bytes, 12)]
    const first = all[0]
    const size = first && sizeOf(viewOf(bytes), first)
    const frames = all.filter(({ type }) => type === 'ANMF').length
    if (!size || (frames === 0 && !all.some(isPixels))) return undefined
    return { ...size, frames: Math.max(1, frames) }
  },
  still(bytes) {
    const frame = [...chunks(bytes, 12)].find(({ type }) => type === 'ANMF')
    if (!frame) return undefined
    // A frame's header has 16 bytes; its own chunks follow, an alpha plane and the pixels.
    const inside = [...chunks(bytes, frame.start + 16, Math.min(frame.end, bytes.length))]
    const alpha = inside.find(({ type }) => type === 'ALPH')
    const pixels = inside.find(isPixels)
    if (!pixels) return undefined
    const copy = ({ type, start, end }: Chunk) => chunk(type, bytes.subarray(start, end))
    if (!alpha || pixels.type === 'VP8L') return file([copy(pixels)])
    const header = new Uint8Array(10)
    header[0] = 0x10
    // Width and height are encoded in the frame's header as in the file's.
    header.set(bytes.subarray(frame.start + 6, frame.start + 12), 4)
    return file([chunk('VP8X', header), copy(alpha), copy(pixels)])
  },
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const whole = new Uint8Array(8 + data.length + (data.length % 2))
  whole.set(Buffer.from(type, 'latin1'))
  viewOf(whole).setUint32(4, data.length, true)
  whole.set(data, 8)
  return whole
}

const file = (parts: readonly Uint8Array[]): Uint8Array =>
  chunk('RIFF', joined([Buffer.from('WEBP', 'latin1'), ...parts]))
