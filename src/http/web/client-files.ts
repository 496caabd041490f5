import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFiles } from './built-files.ts'
import { filesIn, HASHED_FOLDER, type WebFilesReader } from './stored-files.ts'

/** How a file of the web client is stored, smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** A file of the web client, with compressed forms where they are smaller. */
export interface WebFile {
  readonly content_type: string
  /** Whether its name includes a hash of its content, so that it never changes. */
  readonly hashed: boolean
  readonly encodings: readonly Encoding[]
  /** Reads the bytes, once. */
  read(encoding: Encoding): Promise<WebBytes>
}

export interface WebBytes {
  readonly bytes: Uint8Array
  /** Differs whenever the bytes differ. */
  readonly etag: string
}

/** By path, such as `/` and `/web/main-Dk3f9a.js`. Other paths don't exist. */
export type WebFiles = ReadonlyMap<string, WebFile>

const INDEX = 'index.html'
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' }

const types: Readonly<Record<string, string>> = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** A folder, as a path or a `file:` URL, or an object that reads the files from elsewhere. */
export type WebFilesSource = string | URL | WebFilesReader

/**
 * Returns the built web client of this package or of another source. It reads only names; each file is read on its
 * first request.
 *
 * @throws Error if there is none, as in a clone before `npm run build`, or in a bundle
 */
export function webFiles(source?: WebFilesSource): WebFiles {
  const reader = source === undefined ? builtFiles() : readerOf(source)
  const stored = new Set(reader?.names)
  if (!reader || !stored.has(INDEX)) throw missing(reader)
  const named = filesOf(reader, stored, (path) => path.startsWith(`${HASHED_FOLDER}/`))
  return new Map([...named].map(([path, file]) => [path === INDEX ? '/' : `/${path}`, file]))
}

/** Returns the files of a reader by their names, without their compressed forms. */
export const webFilesOf = (reader: WebFilesReader, isHashed: (path: string) => boolean): WebFiles =>
  filesOf(reader, new Set(reader.names), isHashed)

function filesOf(
  reader: WebFilesReader,
  stored: ReadonlySet<string>,
  isHashed: (path: string) => boolean,
): Map<string, WebFile> {
  const named = [...stored].filter((path) => types[extname(path)] !== undefined)
  return new Map(named.map((path) => [path, webFile(reader, path, stored, isHashed(path))]))
}

/** Returns why this package's web client can't be served, or undefined. */
export function webFilesProblem(): string | undefined {
  try {
    webFiles()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function missing(reader: WebFilesReader | undefined): Error {
  const option = 'Set the option webFiles to their folder, such as node_modules/chat-server/dist/web.'
  if (!reader) return new Error(`A bundle can't find the web client's files. ${option}`)
  const where = reader.folder === undefined ? 'webFiles' : `the folder ${reader.folder}`
  return new Error(
    `The web client's files are missing: ${where} has no ${INDEX}. "npm run build:web" builds them. ${option}`,
  )
}

const pathOf = (folder: string | URL): string =>
  typeof folder === 'string' && !folder.startsWith('file:') ? folder : fileURLToPath(folder)

const readerOf = (source: WebFilesSource): WebFilesReader =>
  typeof source === 'string' || source instanceof URL ? filesIn(pathOf(source)) : source

function webFile(reader: WebFilesReader, path: string, stored: ReadonlySet<string>, hashed: boolean): WebFile {
  const read = new Map<Encoding, Promise<WebBytes>>()
  const load = async (encoding: Encoding) => withEtag(await reader.read(path + suffixes[encoding]))
  return {
    content_type: types[extname(path)]!,
    hashed,
    encodings: encodings.filter((encoding) => stored.has(path + suffixes[encoding])),
    read(encoding) {
      const bytes = read.get(encoding) ?? load(encoding)
      read.set(encoding, bytes)
      return bytes
    },
  }
}

export const withEtag = (bytes: Uint8Array): WebBytes => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})
