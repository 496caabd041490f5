import { checkImage, kindOf } from '../../files/images/headers/read.ts'
import { type Frame, fitImage } from '../../files/images/resize.ts'
import { loadSharp } from '../../files/images/sharp.ts'
import { MAX_PICTURE_MIB } from '../../kernel/base/limits.ts'
import { ChatError, isChatError } from '../../kernel/errors.ts'

/** A picture that users or an organization are known by, as it is stored. */
export interface Picture {
  content_type: string
  bytes: Uint8Array
}

const MAX_BYTES = MAX_PICTURE_MIB * 1024 * 1024

/** How actions that take one declare it; `what` is how the API calls it. */
export const pictureRule = (what: string) => {
  const one = `You must upload exactly one ${what}.`
  return { maxBytes: () => MAX_BYTES, missing: one, several: one }
}

/**
 * An uploaded image in the size it is shown in, as a PNG; as it is where images cannot be read. Its bytes decide what it
 * is, not its name. Runs outside of writes.
 *
 * @throws ChatError BAD_IMAGE when it is none, is damaged, or has too many pixels; TOO_LARGE
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
