/** The smaller copies that are made of an image. */
export interface ThumbnailFormat {
  name: string
  max_width: number
  max_height: number
  format: 'webp'
  /** Whether it moves where the image does; it is not made of others. */
  animated: boolean
}

const size = { max_width: 840, max_height: 560, format: 'webp' } as const

export const stillThumbnail: ThumbnailFormat = { name: '840x560.webp', ...size, animated: false }
export const animatedThumbnail: ThumbnailFormat = { name: '840x560-anim.webp', ...size, animated: true }

/** As clients are shown. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [animatedThumbnail, stillThumbnail]

/** The copies that an image of so many frames gets. */
export const formatsFor = (frames: number): readonly ThumbnailFormat[] =>
  thumbnailFormats.filter((format) => !format.animated || frames > 1)

/** The copy that messages show. */
export const shownFormat = (frames: number): ThumbnailFormat => (frames > 1 ? animatedThumbnail : stillThumbnail)
