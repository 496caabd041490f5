import { createHash } from 'node:crypto'
import { publicAction } from '../../core/action.ts'
import { codeToNames } from '../../core/emoji/catalogue/catalogue.ts'
import { none } from '../../core/fields.ts'
import { type ServedFile, servedBytes, servedFile } from '../../core/transport.ts'

/** A speech bubble, for organizations without an icon of their own. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#3b6ea5"/>' +
  '<path d="M14 16h36a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H30L18 54V44h-4a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4z" fill="#fff"/></svg>'

/** GET of the names of all emoji by their code, at the URL in register's answer. No sign-in. */
export const getEmojiData = staticFile('getEmojiData', 'Get the emoji data', 'application/json', () =>
  JSON.stringify({ code_to_names: Object.fromEntries(codeToNames()) }),
)

/** The same as 64 pixels of PNG, for clients that know only such pictures of emoji. */
const bubble =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXE6baU6baU5b6Q6bqU6baU7bqQ7baU6bqQ7bqX////y9flZhLO8zu' +
  'GQrczL2OdAm+l4AAAACXRSTlMA/aob82xN2DD03udcAAAACXBIWXMAAAsTAAALEwEAmpwYAAAA4ElEQVRIx+3WMQrCQBAF0MHgBRQEOy0s7OIl' +
  'lHRiZyl4BBuPoURkwBMkmPSyHiB4guhljBGWFWfnd9rkt3nFFDvzQ0QULDYsZDYKqU4wZE86b7Fmb6av7+2+H+zmFVixkl41QaSBOKQWqxnQRA' +
  'ddWurgQGMd7GmrgyNFOoiJQX4GTo/kK9fCAbdEiHHAXQJnB1wkkDogEdOABvwPwEcLnz1cHLh6dtBM2e56rgIAwzrIGYASgEw/QdKEn8DIN8oe' +
  '0txzSO0pLj2nGB5zWAewUGAlwVKDtYiLFVYzLnf99+AJV2jJqgJP5J8AAAAASUVORK5CYII='

/** GET of the picture of the emoji that is neither Unicode nor uploaded. No sign-in. */
export const getExtraEmojiImage = staticFile(
  'getExtraEmojiImage',
  'Get the picture of the extra emoji',
  'image/png',
  () => Buffer.from(bubble, 'base64'),
)

/** GET of the organization's icon. No sign-in. */
export const getIcon = staticFile('getIcon', 'Get the icon', 'image/svg+xml', () => icon)

/** Three dots, one after the other. */
const loading = [0, 1, 2]
  .map(
    (i) =>
      `<circle cx="${20 + 40 * i}" cy="20" r="8"><animate attributeName="opacity" values="1;.2;1" dur="1.2s" begin="${i * 0.2}s" repeatCount="indefinite"/></circle>`,
  )
  .join('')

/** GET of what stands in messages for an image whose smaller copy is being made. No sign-in. */
export const getLoadingImage = staticFile(
  'getLoadingImage',
  'Get the picture of an image that is being made',
  'image/svg+xml',
  () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${loading}</svg>`,
)

/** Defines an action that serves the same to everybody, generated when first requested. */
export function staticFile(
  name: string,
  summary: string,
  content_type: string,
  content: () => string | Uint8Array | Promise<string>,
  cache: ServedFile['cache'] = 'day',
) {
  let file: Promise<ServedFile> | undefined
  const make = async () => {
    const bytes = Buffer.from(await content())
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
    return servedBytes(bytes, { content_type, version, cache, embed: 'everywhere' })
  }
  return publicAction({ name, summary, params: none, result: servedFile, answers: 'bytes', limit: 'files' }, () => {
    file ??= make()
    return file
  })
}
