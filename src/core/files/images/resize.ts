import { MAX_ANIMATION_PIXELS } from '../../kernel/base/limits.ts'
import type { ThumbnailFormat } from './formats.ts'
import type { InspectedImage } from './inspect.ts'
import { bounds, inTurn, loadSharp, timeout } from './sharp.ts'

/** Makes a thumbnail of an image file; undefined if the file is damaged, or it would take too long. */
export async function makeThumbnail(
  file: string,
  { width, height, frames }: Omit<InspectedImage, 'content_type'>,
  { max_width, max_height, animated }: ThumbnailFormat,
): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp()
  if (!sharp) return undefined
  // Only the beginning of a long animation.
  const pages = animated ? Math.max(1, Math.min(frames, Math.floor(MAX_ANIMATION_PIXELS / (width * height)))) : 1
  return inTurn(async () => {
    try {
      return await sharp(file, { ...bounds, pages })
        .timeout(timeout)
        .autoOrient()
        .resize(max_width, max_height, { fit: 'inside', withoutEnlargement: true })
        .webp({ effort: 2 })
        .toBuffer()
    } catch {
      return undefined
    }
  })
}

/** How to fit an icon, logo or avatar into its size. */
export interface Frame {
  width: number
  height: number
  fit: 'cover' | 'inside'
}

/** Returns an image as a PNG of this size; undefined if it is damaged, or too large to decode. */
export async function fitImage(bytes: Uint8Array, { width, height, fit }: Frame): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp()
  if (!sharp) return undefined
  return inTurn(async () => {
    try {
      return await sharp(bytes, bounds)
        .timeout(timeout)
        .autoOrient()
        .resize(width, height, { fit, withoutEnlargement: fit === 'inside' })
        .png()
        .toBuffer()
    } catch {
      return undefined
    }
  })
}
