import { codeToNames } from '../../core/emoji/catalogue/catalogue.ts'
import { staticFile } from './static-file.ts'

/** A speech bubble, for organizations without an icon of their own. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#3b6ea5"/>' +
  '<path d="M14 16h36a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H30L18 54V44h-4a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4z" fill="#fff"/></svg>'

/** GET of the names of all emoji by their code, at the URL in register's answer. No sign-in. */
export const getEmojiData = staticFile({
  name: 'getEmojiData',
  summary: 'Get the emoji data',
  content_type: 'application/json',
  content: () => JSON.stringify({ code_to_names: codeToNames }),
})

/** The same as 64 pixels of PNG, for clients that know only such pictures of emoji. */
const bubble =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXE6baU6baU5b6Q6bqU6baU7bqQ7baU6bqQ7bqX////y9flZhLO8zu' +
  'GQrczL2OdAm+l4AAAACXRSTlMA/aob82xN2DD03udcAAAACXBIWXMAAAsTAAALEwEAmpwYAAAA4ElEQVRIx+3WMQrCQBAF0MHgBRQEOy0s7OIl' +
  'lHRiZyl4BBuPoURkwBMkmPSyHiB4guhljBGWFWfnd9rkt3nFFDvzQ0QULDYsZDYKqU4wZE86b7Fmb6av7+2+H+zmFVixkl41QaSBOKQWqxnQRA' +
  'ddWurgQGMd7GmrgyNFOoiJQX4GTo/kK9fCAbdEiHHAXQJnB1wkkDogEdOABvwPwEcLnz1cHLh6dtBM2e56rgIAwzrIGYASgEw/QdKEn8DIN8oe' +
  '0txzSO0pLj2nGB5zWAewUGAlwVKDtYiLFVYzLnf99+AJV2jJqgJP5J8AAAAASUVORK5CYII='

/** GET of the picture of the emoji that is neither Unicode nor uploaded. No sign-in. */
export const getExtraEmojiImage = staticFile({
  name: 'getExtraEmojiImage',
  summary: 'Get the picture of the extra emoji',
  content_type: 'image/png',
  content: () => Buffer.from(bubble, 'base64'),
})

/** GET of the organization's icon. No sign-in. */
export const getIcon = staticFile({
  name: 'getIcon',
  summary: 'Get the icon',
  content_type: 'image/svg+xml',
  content: () => icon,
})

/** Three dots, one after the other. */
const loading = [0, 1, 2]
  .map(
    (i) =>
      `<circle cx="${20 + 40 * i}" cy="20" r="8"><animate attributeName="opacity" values="1;.2;1" dur="1.2s" begin="${i * 0.2}s" repeatCount="indefinite"/></circle>`,
  )
  .join('')

/** GET of what stands in messages for an image whose smaller copy is being made. No sign-in. */
export const getLoadingImage = staticFile({
  name: 'getLoadingImage',
  summary: 'Get the picture of an image that is being made',
  content_type: 'image/svg+xml',
  content: () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${loading}</svg>`,
})
