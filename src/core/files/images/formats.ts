/** The thumbnails that are made of an image. */
export interface ThumbnailFormat {
  name: string
  max_width: number
  max_height: number
  format: 'webp'
  /** Whether it is animated. Such a thumbnail is made only of animated images. */
  animated: boolean
}

const size = { max_width: 840, max_height: 560, format: 'webp' } as const

const stillThumbnail: ThumbnailFormat = { name: '840x560.webp', ...size, animated: false }
const animatedThumbnail: ThumbnailFormat = { name: '840x560-anim.webp', ...size, animated: true }

/** The formats that clients see. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [animatedThumbnail, stillThumbnail]

/** A copy, as large as a screen needs, of an image that browsers can't show. */
export const transcoded: ThumbnailFormat = {
  name: '4032x3024.webp',
  max_width: 4032,
  max_height: 3024,
  format: 'webp',
  animated: false,
}

/** Kinds of images that browsers do not show. */
export const isTranscoded = (content_type: string): boolean => content_type === 'image/tiff'

/** The copies that an image gets. */
export const formatsFor = (frames: number, content_type: string): readonly ThumbnailFormat[] => [
  ...thumbnailFormats.filter((format) => !format.animated || frames > 1),
  ...(isTranscoded(content_type) ? [transcoded] : []),
]

/** The copy that messages show. */
export const shownFormat = (frames: number): ThumbnailFormat => (frames > 1 ? animatedThumbnail : stillThumbnail)
