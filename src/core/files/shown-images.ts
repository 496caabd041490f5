import type { StoredFile } from '../access/files.ts'
import { isTranscoded, shownFormat, transcoded } from './images/formats.ts'
import { isSharpInstalled } from './images/sharp.ts'
import { UPLOADS_PATH } from './names.ts'
import { isInline } from './types.ts'

/** Shown in messages until the thumbnail of an image is made. */
export const LOADING_IMAGE_PATH = '/static/images/loading/loader-black.svg'
/** An image that is damaged, or that ended the process this often, is shown as uploaded. */
export const MAX_ATTEMPTS = 3

const LOADING_CLASS = 'image-loading-placeholder'

/** Attributes of the `<img>` for a file; undefined for files other than images. */
export type ImageAttributes = Readonly<Record<string, string>>

export function imageAttributes(file: StoredFile): ImageAttributes | undefined {
  const { path, content_type, width, height, frames } = file
  const original = `${UPLOADS_PATH}/${path}`
  if (width === null || height === null || frames === null) {
    // Not inspected yet.
    const isImage = content_type.startsWith('image/') && isInline(content_type)
    return isImage && !isSharpInstalled() ? { src: original } : undefined
  }
  const isWaiting =
    file.has_thumbnail === 0 && file.thumbnail_attempts !== null && file.thumbnail_attempts < MAX_ATTEMPTS
  const thumbnail = `${UPLOADS_PATH}/thumbnail/${path}/${shownFormat(frames).name}`
  return {
    ...(isWaiting && { class: LOADING_CLASS }),
    ...(file.has_thumbnail === 1 && frames > 1 && { 'data-animated': 'true' }),
    'data-original-content-type': content_type,
    'data-original-dimensions': `${width}x${height}`,
    ...(file.has_thumbnail === 1 && isTranscoded(content_type) && { 'data-transcoded-image': transcoded.name }),
    src: isWaiting ? LOADING_IMAGE_PATH : file.has_thumbnail === 1 ? thumbnail : original,
  }
}

/** Returns the attributes of the images among these files, by path. */
export function imagesAmong(files: readonly StoredFile[]): Map<string, ImageAttributes> {
  return new Map(
    files.flatMap((file) => {
      const attributes = imageAttributes(file)
      return attributes ? [[file.path, attributes] as const] : []
    }),
  )
}

export const isLoading = (html: string): boolean => html.includes(LOADING_CLASS)
