import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

/** Vite's folder for everything whose name has a hash. */
export const HASHED_FOLDER = 'web'
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

/** Where the files of a built web client come from, other than a folder: the resources of an executable, for instance. */
export interface WebFilesReader {
  /** Their paths in Vite's output, such as `index.html` and `web/main-Dk3f9a.js.br`. */
  readonly names: Iterable<string>
  /** The bytes of one of them; called once for each. */
  read(name: string): Uint8Array | Promise<Uint8Array>
}

/** A folder, as a path or a `file:` URL, or what reads the files from elsewhere. */
export type WebFilesSource = string | URL | WebFilesReader

/**
 * The built web client of this package, or of another source. Only names are read now; each file when it is first asked for.
 *
 * @throws Error where there is none, as in a clone before `npm run build`, or in a bundle
 */
export function webFiles(source?: WebFilesSource): WebFiles {
  const reader = readerOf(source ?? builtFolder())
  const stored = new Set(reader.names)
  if (!stored.has(INDEX)) throw missing(source)
  const named = [...stored].filter((path) => types[extname(path)] !== undefined)
  const entries = named.map((path) => [path === INDEX ? '/' : `/${path}`, webFile(reader, path, stored)] as const)
  return new Map(entries)
}

/** Why the web client of this package cannot be served; undefined where it can. */
export function webFilesProblem(): string | undefined {
  try {
    webFiles()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function missing(source: WebFilesSource = builtFolder() ?? ''): Error {
  const option = 'The option webFiles says where they are, such as node_modules/chat-server/dist/web.'
  if (source === '') {
    return new Error(`The web client's files cannot be found from a bundle. ${option}`)
  }
  const where = typeof source === 'string' || source instanceof URL ? `the folder ${pathOf(source)}` : 'webFiles'
  return new Error(
    `The web client's files are missing: ${where} has no ${INDEX}. "npm run build:web" builds them. ${option}`,
  )
}

const pathOf = (folder: string | URL): string =>
  typeof folder === 'string' && !folder.startsWith('file:') ? folder : fileURLToPath(folder)

function readerOf(source: WebFilesSource | undefined): WebFilesReader {
  if (source === undefined) return { names: [], read: () => new Uint8Array() }
  if (typeof source !== 'string' && !(source instanceof URL)) return source
  const folder = pathOf(source)
  const inFolder = (path: string) => {
    const names = existsSync(join(folder, path)) ? readdirSync(join(folder, path), { withFileTypes: true }) : []
    return names.filter((entry) => entry.isFile()).map((entry) => `${path}${entry.name}`)
  }
  return { names: [...inFolder(''), ...inFolder(`${HASHED_FOLDER}/`)], read: (name) => readFile(join(folder, name)) }
}

function webFile(reader: WebFilesReader, path: string, stored: ReadonlySet<string>): WebFile {
  const read = new Map<Encoding, Promise<WebBytes>>()
  const load = async (encoding: Encoding) => withEtag(await reader.read(path + suffixes[encoding]))
  return {
    content_type: types[extname(path)]!,
    hashed: path.startsWith(`${HASHED_FOLDER}/`),
    encodings: encodings.filter((encoding) => stored.has(path + suffixes[encoding])),
    read(encoding) {
      const bytes = read.get(encoding) ?? load(encoding)
      read.set(encoding, bytes)
      return bytes
    },
  }
}

const withEtag = (bytes: Uint8Array): WebBytes => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

/** `dist/web` of this package, from the source tree and the compiled one; undefined in a bundle elsewhere. */
function builtFolder(from = new URL('.', import.meta.url)): string | undefined {
  if (isOwnPackage(new URL('package.json', from))) return fileURLToPath(new URL('dist/web', from))
  const parent = new URL('..', from)
  return parent.href === from.href ? undefined : builtFolder(parent)
}

/** An application that bundles this one has a package.json, and perhaps pages, of its own. */
const isOwnPackage = (file: URL): boolean =>
  existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'chat-server'
