import type { StoredFile } from '../../access/files.ts'
import { imagesAmong, isLoading } from '../../files/shown-images.ts'
import { withImages } from '../../markup/blocks/previews.ts'

/** Rendered HTML that refers to these files, with the thumbnails that were made of them since. */
export const withReadyImages = (html: string, files: readonly StoredFile[]): string =>
  files.length > 0 && isLoading(html) ? withImages(html, imagesAmong(files)) : html
