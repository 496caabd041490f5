import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { unknownPath } from '../../core/kernel/errors.ts'
import { described, text } from '../../core/kernel/fields.ts'
import type { Section } from '../route-types.ts'
import { acceptedEncoding } from '../serve/accepted-encoding.ts'
import { type Asset, asset } from '../serve/asset.ts'
import { builtFiles } from './built-files.ts'
import { type WebFiles, webFilesOf } from './client-files.ts'
import { headersFor } from './headers.ts'
import type { WebFilesReader } from './stored-files.ts'

const PATH = '/docs'
const HASHED = /^assets\/.*\.[\w-]{8,}\.\w+$/

/**
 * Returns the documentation site of this package.
 *
 * @throws Error if it was not built
 */
export function docsFiles(reader: WebFilesReader | undefined = builtFiles('docs')): WebFiles {
  const files = reader && webFilesOf(reader, (path) => HASHED.test(path))
  if (files?.has('index.html')) return files
  throw new Error('The documentation site is missing. Releases contain it, and "npm run docs" builds it in a clone.')
}

/**
 * Serves the documentation site at `/docs`.
 *
 * @param base - path below which the server answers; the addresses in the files then get it
 */
export function docsSection(files: WebFiles, base: string): Section {
  async function serve(path: string, accepted: string): Promise<Asset> {
    const file = files.get(path) ?? files.get(`${path && `${path.replace(/\/$/, '')}/`}index.html`)
    if (!file) throw unknownPath()
    const headers = headersFor(file, [], { inlineStyles: true })
    if (base !== '' && /^text|json/.test(file.content_type)) {
      const { bytes, etag } = await file.read('identity')
      const moved = Buffer.from(bytes).toString().replaceAll(`${PATH}/`, `${base}${PATH}/`)
      return {
        bytes: new TextEncoder().encode(moved),
        etag: etag.replace(/"$/, `-${Buffer.from(base).toString('base64url')}"`),
        headers,
      }
    }
    const encoding = acceptedEncoding(accepted, file.encodings)
    const { bytes, etag } = await file.read(encoding)
    return { bytes, etag, headers: { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) } }
  }
  const getDocs = publicAction(
    {
      name: 'getDocs',
      summary: 'Get a page or a file of the documentation',
      params: v.object({
        path: described(v.optional(text, ''), 'Path of the file.'),
        accept_encoding: described(v.optional(text, ''), 'Encodings that the client accepts.'),
      }),
      result: asset,
      answers: 'asset',
      limit: 'files',
      headers: { accept_encoding: 'accept-encoding' },
    },
    (_visitor, { path, accept_encoding }) => serve(path, accept_encoding),
  )
  return { tag: 'docs', routes: { [PATH]: { GET: getDocs }, [`${PATH}/**:path`]: { GET: getDocs } } }
}
