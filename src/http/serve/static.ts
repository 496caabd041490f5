import { drawPng } from '../../core/files/images/draw.ts'
import { codeToNames } from '../../core/markup/emoji/catalogue.ts'
import { icon } from '../../core/organization/default-pictures.ts'
import { staticFile } from './static-file.ts'

/** GET: returns the names of all emoji by code, at the URL in register's response. No sign-in. */
export const getEmojiData = staticFile({
  name: 'getEmojiData',
  summary: 'Get the emoji data',
  content_type: 'application/json',
  content: () => JSON.stringify({ code_to_names: Object.fromEntries(codeToNames()) }),
})

const EMOJI_PIXELS = 64

/** GET: returns the image of the one emoji that is neither Unicode nor uploaded. No sign-in. */
export const getExtraEmojiImage = staticFile({
  name: 'getExtraEmojiImage',
  summary: 'Get the image of the extra emoji',
  content_type: 'image/png',
  content: () => drawPng(icon, EMOJI_PIXELS),
})

/** Three dots that blink one after another. */
const loading = [0, 1, 2]
  .map(
    (i) =>
      `<circle cx="${20 + 40 * i}" cy="20" r="8"><animate attributeName="opacity" values="1;.2;1" dur="1.2s" begin="${i * 0.2}s" repeatCount="indefinite"/></circle>`,
  )
  .join('')

/** GET: returns the placeholder for an image whose thumbnail is being made. No sign-in. */
export const getLoadingImage = staticFile({
  name: 'getLoadingImage',
  summary: "Get the placeholder for a thumbnail that isn't ready",
  content_type: 'image/svg+xml',
  content: () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${loading}</svg>`,
})
