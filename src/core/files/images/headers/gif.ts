import { countPart, type ImageFormat, joined, startsWith, viewOf } from './format.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b

/** Bytes of the color table, according to its packed field. */
const tableSize = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** One image of the file. */
interface Frame {
  right: number
  bottom: number
  /** Exclusive; beyond the end of a truncated file. */
  end: number
}

function* frames(bytes: Uint8Array): Generator<Frame> {
  const view = viewOf(bytes)
  // Data is in blocks of up to 255 bytes, each after its length. An empty block ends it.
  const afterBlocks = (at: number): number => {
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1
    return at + 1
  }
  let at = 13 + tableSize(view.getUint8(10))
  for (let part = 0; at < bytes.length; part++) {
    countPart(part)
    if (bytes[at] === EXTENSION) at = afterBlocks(at + 2)
    else if (bytes[at] === IMAGE) {
      const right = view.getUint16(at + 1, true) + view.getUint16(at + 5, true)
      const bottom = view.getUint16(at + 3, true) + view.getUint16(at + 7, true)
      at = afterBlocks(at + 11 + tableSize(view.getUint8(at + 9)))
      yield { right, bottom, end: at }
    } else return
  }
}

export const gif: ImageFormat = {
  content_type: 'image/gif',
  extension: 'gif',
  recognizes: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  read(bytes) {
    const view = viewOf(bytes)
    let width = view.getUint16(6, true)
    let height = view.getUint16(8, true)
    let count = 0
    for (const { right, bottom } of frames(bytes)) {
      // Some programs enlarge the canvas for frames that exceed its declared size.
      width = Math.max(width, right)
      height = Math.max(height, bottom)
      count++
    }
    return count > 0 ? { width, height, frames: count } : undefined
  },
  still(bytes) {
    const [first] = frames(bytes)
    return first && joined([bytes.subarray(0, first.end), Uint8Array.of(TRAILER)])
  },
}
