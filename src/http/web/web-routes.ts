import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { unknownPath } from '../../core/kernel/errors.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { settingsOf } from '../../core/settings/organization.ts'
import type { Section } from '../route-types.ts'
import { acceptedEncoding } from '../serve/accepted-encoding.ts'
import { type Asset, asset } from '../serve/asset.ts'
import { type WebBytes, type WebFile, type WebFiles, withEtag } from './client-files.ts'
import { headersFor } from './headers.ts'
import { HASHED_FOLDER } from './stored-files.ts'

const HASHED_PATH = `/${HASHED_FOLDER}/`
const accept_encoding = described(v.optional(text, ''), 'Encodings that the client accepts.')
const common = {
  result: asset,
  answers: 'asset',
  limit: 'files',
  headers: { accept_encoding: 'accept-encoding' },
} as const

/**
 * Serves the web client: its page at `/`, and the files that the page loads. Pages of `framedBy` may embed it, and it
 * may ask `origins`.
 */
export function webSection(files: WebFiles, framedBy: readonly string[], origins: readonly string[]): Section {
  let hashes: Promise<readonly string[]> | undefined
  const scriptsInPage = () => (hashes ??= scriptHashes(files.get('/')!))
  async function serve(path: string, accepted: string): Promise<Asset> {
    const file = files.get(path)
    if (!file) throw unknownPath()
    const encoding = acceptedEncoding(accepted, file.encodings)
    const { bytes, etag } = await file.read(encoding)
    const scripts = path === '/' ? await scriptsInPage() : []
    const headers = {
      ...headersFor(file, framedBy, { origins, scripts }),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    }
    return { bytes, etag, headers }
  }
  const getHashed = publicAction(
    {
      ...common,
      name: 'getWebClientFile',
      summary: 'Get a file of the web client',
      params: v.object({ file: described(text, 'Name of the file.'), accept_encoding }),
    },
    (_visitor, params) => serve(HASHED_PATH + params.file, params.accept_encoding),
  )
  const inLanguage = pagesIn(files)
  const getPage = publicAction(
    { ...common, name: 'getWebClient', summary: 'Get the web client', params: v.object({ accept_encoding }) },
    async (visitor, params) => {
      const { default_language } = await settingsOf(visitor)
      if (default_language === ENGLISH) return serve('/', params.accept_encoding)
      const scripts = await scriptsInPage()
      return {
        ...(await inLanguage(default_language)),
        headers: headersFor(files.get('/')!, framedBy, { origins, scripts }),
      }
    },
  )
  const getOne = (path: string) =>
    publicAction(
      { ...common, name: 'getWebClient', summary: 'Get the web client', params: v.object({ accept_encoding }) },
      (_visitor, params) => serve(path, params.accept_encoding),
    )
  const others = [...files.keys()].filter((path) => path !== '/' && !path.startsWith(HASHED_PATH))
  return {
    tag: 'web',
    routes: {
      [`${HASHED_PATH}:file`]: { GET: getHashed },
      '/': { GET: getPage },
      ...Object.fromEntries(others.map((path) => [path, { GET: getOne(path) }])),
    },
  }
}

/** Returns the sources in the page's policy that allow the scripts within it. */
async function scriptHashes(page: WebFile): Promise<string[]> {
  const html = new TextDecoder().decode((await page.read('identity')).bytes)
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  )
}

/** The language that the stored page names. */
const ENGLISH = 'en'

/** Returns the page with the organization's language, in which it begins unless its reader chose another one. */
function pagesIn(files: WebFiles): (language: string) => Promise<WebBytes> {
  const made = new Map<string, Promise<WebBytes>>()
  const make = async (language: string) => {
    const { bytes } = await files.get('/')!.read('identity')
    const page = new TextDecoder().decode(bytes)
    return withEtag(new TextEncoder().encode(page.replace(`<html lang="${ENGLISH}"`, `<html lang="${language}"`)))
  }
  return (language) => {
    const page = made.get(language) ?? make(language)
    made.set(language, page)
    return page
  }
}
