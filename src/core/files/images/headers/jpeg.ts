import { type ImageFormat, startsWith, viewOf } from './format.ts'

const START_OF_SCAN = 0xda
/** Markers without a segment: padding, TEM, restarts, start of image. */
const standsAlone = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Markers of a frame header. A file has one. Three in that range of numbers mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

export const jpeg: ImageFormat = {
  content_type: 'image/jpeg',
  extension: 'jpg',
  recognizes: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  read(bytes) {
    const view = viewOf(bytes)
    let size: { width: number; height: number } | undefined
    for (let at = 2; ; ) {
      if (view.getUint8(at) !== 0xff) return undefined
      const marker = view.getUint8(at + 1)
      if (standsAlone(marker)) {
        at += marker === 0xff ? 1 : 2
        continue
      }
      if (isFrame(marker)) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
      if (marker === START_OF_SCAN) return size && { ...size, frames: 1 }
      const length = view.getUint16(at + 2)
      if (length < 2) return undefined
      at += 2 + length
    }
  },
}
