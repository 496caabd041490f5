import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { builtFiles } from './built-files.ts'
import { filesIn, HASHED_FOLDER, type StoredFiles } from './stored-files.ts'

/** The ways in which a file of the web client is stored, the smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** A file of the web client, with the same bytes compressed beforehand where that makes them fewer. */
export interface WebFile {
  readonly content_type: string
  /** Whether its name says what is in it, so that it never changes. */
  readonly hashed: boolean
  readonly encodings: readonly Encoding[]
  /** The bytes, read once. */
  read(encoding: Encoding): Promise<WebBytes>
}

export interface WebBytes {
  readonly bytes: Uint8Array
  /** Differs whenever the bytes differ. */
  readonly etag: string
}

/** By path, such as `/` and `/web/main-Dk3f9a.js`. What is not in it does not exist. */
export type WebFiles = ReadonlyMap<string, WebFile>

const INDEX = 'index.html'
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/**
 * The built web client of this package, or of another folder. Each file is read when it is first asked for.
 * Undefined where none is built, as in a clone before `npm run build`.
 */
export function webFiles(folder?: string): WebFiles | undefined {
  const files = folder === undefined ? builtFiles() : filesIn(folder)
  if (!files?.names.includes(INDEX)) return undefined
  const stored = new Set(files.names)
  const named = files.names.filter((path) => types[extname(path)] !== undefined)
  const entries = named.map((path) => [path === INDEX ? '/' : `/${path}`, webFile(files, path, stored)] as const)
  return new Map(entries)
}

function webFile({ read: readStored }: StoredFiles, path: string, stored: ReadonlySet<string>): WebFile {
  const read = new Map<Encoding, Promise<WebBytes>>()
  return {
    content_type: types[extname(path)]!,
    hashed: path.startsWith(`${HASHED_FOLDER}/`),
    encodings: encodings.filter((encoding) => stored.has(path + suffixes[encoding])),
    read(encoding) {
      const bytes = read.get(encoding) ?? readStored(path + suffixes[encoding]).then(withEtag)
      read.set(encoding, bytes)
      return bytes
    },
  }
}

const withEtag = (bytes: Uint8Array): WebBytes => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})
