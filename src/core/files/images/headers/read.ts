import { MAX_EMOJI_ANIMATION_PIXELS, MAX_EMOJI_SIDE_PIXELS } from '../../../kernel/base/limits.ts'
import { ChatError } from '../../../kernel/errors.ts'
import { type ImageFormat, startsWith } from './format.ts'
import { gif } from './gif.ts'
import { jpeg } from './jpeg.ts'
import { png } from './png.ts'
import { webp } from './webp.ts'

const formats: readonly ImageFormat[] = [png, gif, jpeg, webp]

export const formatOf = (content_type: string): ImageFormat | undefined =>
  formats.find((format) => format.content_type === content_type)

/** The kinds of images that are only read by the library. */
const others: readonly [content_type: string, at: number, signature: string][] = [
  ['image/avif', 4, 'ftypavif'],
  ['image/avif', 4, 'ftypavis'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
]

/**
 * Returns the type of image that bytes begin with, ignoring what the sender calls it. Only these types are passed to
 * the library, which reads more, some of them scripts.
 */
export const kindOf = (beginning: Uint8Array): string | undefined =>
  formats.find((format) => format.recognizes(beginning))?.content_type ??
  others.find(([, at, signature]) => startsWith(beginning, signature, at))?.[0]

export interface CheckedImage {
  content_type: string
  width: number
  height: number
  animated: boolean
}

/**
 * Reads an image's format and size from its bytes, ignoring the name and type given by its sender. Throws BAD_IMAGE.
 */
export function checkImage(bytes: Uint8Array): CheckedImage {
  const format = formats.find((format) => format.recognizes(bytes))
  const picture = format && readWithin(() => format.read(bytes))
  if (!format || !picture || picture.width < 1 || picture.height < 1) {
    throw badImage('Invalid image file. Use a PNG, GIF, JPEG or WebP image.')
  }
  if (picture.width > MAX_EMOJI_SIDE_PIXELS || picture.height > MAX_EMOJI_SIDE_PIXELS) {
    throw badImage(`Image is too large. Each side can have at most ${MAX_EMOJI_SIDE_PIXELS} pixels.`)
  }
  const { width, height, frames } = picture
  const animated = frames > 1
  // Clients draw every frame in full, everywhere the emoji is shown.
  if (animated && width * height * frames > MAX_EMOJI_ANIMATION_PIXELS) {
    throw badImage(
      `Animation is too large. ${frames} frames of ${width} by ${height} pixels exceed the limit of ${MAX_EMOJI_ANIMATION_PIXELS} pixels.`,
    )
  }
  // Users who have turned off animations see the first frame, so it is needed as a file of its own.
  if (animated && !readWithin(() => format.still?.(bytes))) {
    throw badImage('Invalid image file. The first frame of the animation cannot be displayed on its own.')
  }
  return { width, height, animated, content_type: format.content_type }
}

const badImage = (message: string): ChatError => new ChatError('BAD_IMAGE', message)

/** Reading follows the lengths in the file, so a truncated one gives a RangeError. */
function readWithin<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
