import type { GifApiKeys } from '../../core/kernel/chat.ts'

/** Where the page of an organization with GIFs searches for them and gets them, by provider. */
const origins: Readonly<Record<keyof GifApiKeys, readonly string[]>> = {
  giphy: ['https://api.giphy.com', 'https://*.giphy.com'],
  klipy: ['https://api.klipy.com', 'https://*.klipy.com'],
  tenor: ['https://tenor.googleapis.com', 'https://media.tenor.com'],
}

/** Returns the origins that the page may ask; none unless the operator has configured a provider. */
export const gifOrigins = (keys: GifApiKeys): readonly string[] =>
  (Object.keys(origins) as (keyof GifApiKeys)[]).flatMap((name) => (keys[name] === '' ? [] : origins[name]))
