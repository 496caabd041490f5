// cspell:ignore contentfilter tinygif mediumgif
import type { GifProvider } from './gif-provider.ts'

export interface Gif {
  id: string
  title: string
  /** A small one, for the list. */
  preview: string
  url: string
}

const COUNT = 24

/** How providers call the organization's strictest rating, by its number. */
const ratings = { giphy: ['', 'g', 'pg', 'pg-13', 'r'], tenor: ['', 'high', 'medium', 'low', 'off'] } as const

/** Finds GIFs; without words, those that are popular now. */
export async function findGifs(
  { id, key }: GifProvider,
  { words, rating, signal }: { words: string; rating: number; signal: AbortSignal },
): Promise<Gif[]> {
  const isGiphy = id === 'giphy'
  const base = isGiphy
    ? `https://api.giphy.com/v1/gifs/${words ? 'search' : 'trending'}`
    : `https://${id === 'klipy' ? 'api.klipy.com' : 'tenor.googleapis.com'}/v2/${words ? 'search' : 'featured'}`
  const params = new URLSearchParams({
    ...(isGiphy ? { api_key: key, rating: ratings.giphy[rating] } : { key, contentfilter: ratings.tenor[rating] }),
    ...(words && { q: words }),
    limit: String(COUNT),
  } as Record<string, string>)
  const answer = await fetch(`${base}?${params}`, { signal, referrerPolicy: 'no-referrer', credentials: 'omit' })
  if (!answer.ok) throw new Error(answer.statusText)
  const found = await answer.json()
  return isGiphy ? found.data.map(ofGiphy) : found.results.map(ofTenor)
}

interface GiphyGif {
  id: string
  title: string
  images: { fixed_width_small: { url: string }; downsized: { url: string } }
}
const ofGiphy = ({ id, title, images }: GiphyGif): Gif => ({
  id,
  title,
  preview: images.fixed_width_small.url,
  url: images.downsized.url,
})

/** KLIPY answers as Tenor does. */
interface TenorGif {
  id: string
  content_description?: string
  media_formats: { tinygif: { url: string }; mediumgif?: { url: string }; gif: { url: string } }
}
const ofTenor = ({ id, content_description = '', media_formats }: TenorGif): Gif => ({
  id,
  title: content_description,
  preview: media_formats.tinygif.url,
  url: (media_formats.mediumgif ?? media_formats.gif).url,
})

/** Gets a GIF as a file, so that the organization has its own copy, and no reader asks the provider. */
export async function gifFile({ title, url }: Gif): Promise<File> {
  const answer = await fetch(url, { referrerPolicy: 'no-referrer', credentials: 'omit' })
  if (!answer.ok) throw new Error(answer.statusText)
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return new File([await answer.blob()], `${name || 'animation'}.gif`, { type: 'image/gif' })
}
