import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/** Red, green, blue and opacity, 0 to 255 each. */
export type Color = readonly [red: number, green: number, blue: number, opacity: number]

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 8
const INDEXED = 3

const compressed = promisify(deflate)

/** Writes a square PNG. Its pixels, row by row, are indexes of a palette with at most 256 colors. */
export async function encodePng(size: number, pixels: Uint8Array, palette: readonly Color[]): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([BITS, INDEXED], 8)
  // Each row begins with its filter: none.
  const rows = new Uint8Array((size + 1) * size)
  for (let y = 0; y < size; y++) rows.set(pixels.subarray(y * size, (y + 1) * size), y * (size + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    // cspell:ignore PLTE
    chunk('PLTE', Uint8Array.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk(
      'tRNS',
      Uint8Array.from(palette, ([, , , opacity]) => opacity),
    ),
    chunk('IDAT', await compressed(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
