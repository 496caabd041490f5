import { countPart, type ImageFormat, joined, startsWith, textAt, viewOf } from './format.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** The chunks that make a PNG an animation; without them the same file shows its first frame. */
const animationChunks = new Set(['acTL', 'fcTL', 'fdAT'])

interface Chunk {
  type: string
  start: number
  /** Exclusive; beyond the end of a truncated file. */
  end: number
}

function* chunks(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes)
  let start = SIGNATURE.length
  for (let part = 0; start + 8 <= bytes.length; part++) {
    countPart(part)
    const type = textAt(bytes, start + 4, 4)
    const end = start + 12 + view.getUint32(start)
    yield { type, start, end }
    if (type === 'IEND') return
    start = end
  }
}

export const png: ImageFormat = {
  content_type: 'image/png',
  extension: 'png',
  recognizes: (bytes) => startsWith(bytes, SIGNATURE),
  read(bytes) {
    const view = viewOf(bytes)
    if (!startsWith(bytes, 'IHDR', 12)) return undefined
    let announced = 1
    let found = 0
    let pixels = false
    for (const { type, start } of chunks(bytes)) {
      // After the pixels an acTL chunk no longer counts.
      if (type === 'acTL' && !pixels) announced = view.getUint32(start + 8)
      if (type === 'fcTL') found++
      if (type === 'IDAT') pixels = true
    }
    if (!pixels) return undefined
    // Without an acTL chunk, frames are unknown chunks, which decoders ignore.
    const frames = announced > 1 ? Math.max(announced, found) : 1
    return { width: view.getUint32(16), height: view.getUint32(20), frames }
  },
  still(bytes) {
    const kept = [...chunks(bytes)].filter(({ type }) => !animationChunks.has(type))
    return joined([bytes.subarray(0, SIGNATURE.length), ...kept.map(({ start, end }) => bytes.subarray(start, end))])
  },
}
