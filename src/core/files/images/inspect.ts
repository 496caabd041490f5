import { open } from 'node:fs/promises'
import { MAX_IMAGE_PIXELS } from '../../kernel/base/limits.ts'
import { kindOf } from './headers/read.ts'
import { bounds, inTurn, loadSharp } from './sharp.ts'

/** An image as displayed: turned the way its camera was held. */
export interface InspectedImage {
  content_type: string
  width: number
  height: number
  /** 1 unless it is an animation. */
  frames: number
}

/** Returns what the header of an image file contains; undefined if it isn't an image, is damaged, or is too large. */
export async function inspectImage(file: string): Promise<InspectedImage | undefined> {
  const content_type = kindOf(await beginningOf(file))
  const sharp = content_type && (await loadSharp())
  if (!content_type || !sharp) return undefined
  return inTurn(async () => {
    try {
      const { autoOrient, pages = 1, pageHeight } = await sharp(file, bounds).metadata()
      const { width } = autoOrient
      const height = pageHeight ?? autoOrient.height
      if (width < 1 || height < 1 || width * height > MAX_IMAGE_PIXELS) return undefined
      return { content_type, width, height, frames: content_type === 'image/tiff' ? 1 : pages }
    } catch {
      return undefined
    }
  })
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
