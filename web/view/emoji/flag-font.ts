import font from 'country-flag-emoji-polyfill/dist/TwemojiCountryFlags.woff2?url'

/** The characters of flags. Browsers load the font for no others. */
const CHARACTERS =
  'U+1F1E6-1F1FF, U+1F3F4, U+E0062-E0063, U+E0065, U+E0067, U+E006C, U+E006E, U+E0073-E0074, U+E0077, U+E007F'
const SIDE = 24

/** Returns what a flag looks like in a color: on Windows, it is two letters of this color. */
function drawn(color: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = 2 * SIDE
  canvas.height = 2 * SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return ''
  context.font = `${SIDE}px ${getComputedStyle(document.documentElement).getPropertyValue('--emoji')}`
  context.fillStyle = color
  context.fillText('\u{1f1e8}\u{1f1ed}', 0, SIDE)
  return context.getImageData(0, 0, canvas.width, canvas.height).data.join()
}

/** Adds a font for flags if the system has no pictures of them. Returns whether it does. */
export function addFlagFont(): boolean {
  const isMissing = drawn('#000') !== drawn('#fff')
  if (isMissing) document.fonts.add(new FontFace('Flags', `url(${font})`, { unicodeRange: CHARACTERS }))
  return isMissing
}
