import { createHash } from 'node:crypto'
import { publicAction } from '../../core/action.ts'
import { codeToNames } from '../../core/emoji/catalogue/catalogue.ts'
import { none } from '../../core/fields.ts'
import { drawPng } from '../../core/images/draw.ts'
import { icon } from '../../core/organization/default-pictures.ts'
import { type ServedFile, servedBytes, servedFile } from '../../core/transport.ts'

/** GET of the names of all emoji by their code, at the URL in register's answer. No sign-in. */
export const getEmojiData = staticFile('getEmojiData', 'Get the emoji data', 'application/json', () =>
  JSON.stringify({ code_to_names: Object.fromEntries(codeToNames()) }),
)

const EMOJI_PIXELS = 64

/** GET of the picture of the emoji that is neither Unicode nor uploaded. No sign-in. */
export const getExtraEmojiImage = staticFile(
  'getExtraEmojiImage',
  'Get the picture of the extra emoji',
  'image/png',
  () => drawPng(icon, EMOJI_PIXELS),
)

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
  content: () => string | Promise<string | Uint8Array>,
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
