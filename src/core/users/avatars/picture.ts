import { checkImage, kindOf } from '../../files/images/headers/read.ts'
import { type Frame, fitImage } from '../../files/images/resize.ts'
import { loadSharp } from '../../files/images/sharp.ts'
import { MAX_PICTURE_MIB } from '../../kernel/base/limits.ts'
import { ChatError, isChatError } from '../../kernel/errors.ts'

/** A stored avatar, icon or logo. */
export interface Picture {
  content_type: string
  bytes: Uint8Array
}

const MAX_BYTES = MAX_PICTURE_MIB * 1024 * 1024

/** Declares an action's image parameter. `what` is its name in the API. */
export const pictureRule = (what: string) => {
  const one = `You must upload exactly one ${what}.`
  return { maxBytes: () => MAX_BYTES, missing: one, several: one }
}

/**
 * Returns an uploaded image as a PNG in the size that is shown, or unchanged if images can't be read. Its bytes decide
 * its type, not its name. Runs outside of writes.
 *
 * @throws ChatError BAD_IMAGE if it isn't an image, is damaged, or has too many pixels; TOO_LARGE
 */
export async function fitPicture(bytes: Uint8Array, frame: Frame): Promise<Picture> {
  if (bytes.length > MAX_BYTES) {
    throw new ChatError('TOO_LARGE', `Uploaded file is larger than the allowed limit of ${MAX_PICTURE_MIB} MiB`)
  }
  if (!(await loadSharp())) return unchanged(bytes)
  const fitted = kindOf(bytes) && (await fitImage(bytes, frame))
  if (!fitted) throw badImage()
  return { content_type: 'image/png', bytes: fitted }
}

function unchanged(bytes: Uint8Array): Picture {
  try {
    return { content_type: checkImage(bytes).content_type, bytes }
  } catch (error) {
    throw isChatError(error) ? badImage() : error
  }
}

const badImage = () => new ChatError('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
