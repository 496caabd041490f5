import type { StoredFile } from '../../access/files.ts'
import { imagesAmong, isLoading } from '../../files/shown-images.ts'
import { withImages } from '../../markup/blocks/previews.ts'

/** Returns rendered HTML with the thumbnails of these files that were made since. */
export const withReadyImages = (html: string, files: readonly StoredFile[]): string =>
  files.length > 0 && isLoading(html) ? withImages(html, imagesAmong(files)) : html
