import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { unknownPath } from '../../core/kernel/errors.ts'
import { described, text } from '../../core/kernel/fields.ts'
import type { Headers } from '../responses.ts'
import type { Section } from '../route-types.ts'
import { acceptedEncoding } from '../serve/accepted-encoding.ts'
import { type Asset, asset } from '../serve/asset.ts'
import type { WebFile, WebFiles } from './client-files.ts'
import { HASHED_FOLDER } from './stored-files.ts'

/**
 * What the page of the web client may do: run, load and show what this server serves, and nothing inline. Only pages of the origins `framedBy` may frame it.
 */
const policyFor = (framedBy: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
  ].join('; ')

/** Of all its files: a worker of the page has the policy of its own file. */
const ofAllFiles: Headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

const ofPages: Headers = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** A name with a hash never changes what it names; for the others, the page above all, browsers ask each time. */
const headersFor = ({ content_type, hashed }: WebFile, framedBy: readonly string[]): Headers => ({
  'content-security-policy': policyFor(framedBy),
  ...ofAllFiles,
  ...(content_type.startsWith('text/html') && ofPages),
  // It knows no origins: browsers that read the policy ignore it, and others would not show the page.
  ...(content_type.startsWith('text/html') && framedBy.length === 0 && { 'x-frame-options': 'DENY' }),
  'content-type': content_type,
  'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
})

const HASHED_PATH = `/${HASHED_FOLDER}/`
const accept_encoding = described(v.optional(text, ''), 'Encodings that the client accepts.')
const common = {
  result: asset,
  answers: 'asset',
  limit: 'files',
  headers: { accept_encoding: 'accept-encoding' },
} as const

/** The web client: its page at `/`, and the files that the page loads. Only paths of `files` exist. Pages of `framedBy` may embed it. */
export function webSection(files: WebFiles, framedBy: readonly string[]): Section {
  async function serve(path: string, accepted: string): Promise<Asset> {
    const file = files.get(path)
    if (!file) throw unknownPath()
    const encoding = acceptedEncoding(accepted, file.encodings)
    const { bytes, etag } = await file.read(encoding)
    const headers = { ...headersFor(file, framedBy), ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
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
  const getOne = (path: string) =>
    publicAction(
      { ...common, name: 'getWebClient', summary: 'Get the web client', params: v.object({ accept_encoding }) },
      (_visitor, params) => serve(path, params.accept_encoding),
    )
  const others = [...files.keys()].filter((path) => !path.startsWith(HASHED_PATH))
  return {
    tag: 'web',
    routes: {
      [`${HASHED_PATH}:file`]: { GET: getHashed },
      ...Object.fromEntries(others.map((path) => [path, { GET: getOne(path) }])),
    },
  }
}
