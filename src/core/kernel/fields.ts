import * as v from 'valibot'
import { lengthOf, MAX_LIST_LENGTH } from './base/limits.ts'

/** Parameters that several nouns share. */

export const id = v.pipe(v.number(), v.integer(), v.safeInteger(), v.minValue(0, '{name} is not a valid id'))
export const integer = v.pipe(v.number(), v.integer(), v.safeInteger())
export const count = v.pipe(integer, v.minValue(0, '{name} must not be negative'))
export const ids = v.pipe(v.array(id), v.maxLength(MAX_LIST_LENGTH, '{name} has too many entries'))
export const bool = v.boolean()
/** @NOTE the driver would cut a text at NUL, and lone surrogates can't be stored unchanged */
export const text = v.pipe(
  v.string(),
  v.check((s) => !s.includes('\0'), '{name} must not contain null characters'),
  v.transform((s) => s.toWellFormed()),
)
/** @NOTE clients send a few texts as JSON, in quotes, unlike all others */
export const quoted = v.pipe(
  text,
  v.transform((s) => (/^".*"$/s.test(s) ? parsed(s) : s)),
  // Escapes in the quotes may stand for characters that texts don't have.
  text,
)
function parsed(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return json
  }
}

export const line = v.pipe(
  text,
  v.trim(),
  v.check((s) => !/[\p{Cc}\p{Cs}]/u.test(s), '{name} must not contain control characters'),
)
export const nonEmptyLine = v.pipe(line, v.nonEmpty('{name} cannot be blank'))
export const none = v.object({})

/** Checks the number of characters in a text. `problem` is for clients that expect another sentence. */
export const maxCharacters = (limit: number, problem = `{name} is too long (limit: ${limit} characters)`) =>
  v.check((s: string) => lengthOf(s) <= limit, problem)

/** Adds a parameter's description for the API document. */
export const described = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(schema, v.description(sentence))

/** A file uploaded with the parameters. */
export interface UploadedFile {
  name: string
  bytes: Uint8Array
}
const isUploaded = (file: unknown): boolean =>
  typeof file === 'object' && file !== null && 'bytes' in file && file.bytes instanceof Uint8Array
export const uploadedFile = v.custom<UploadedFile>(isUploaded, 'You must upload exactly one file.')
/** Several of them, as many as the action's `file.atMost`. */
export const uploadedFiles = v.custom<readonly UploadedFile[]>(
  (files) => Array.isArray(files) && files.every(isUploaded),
  'You must upload at least one file.',
)

/** A file uploaded with the parameters that is read while it arrives, so that it is never in memory as a whole. */
export interface FileStream {
  name: string
  /** The name given by its sender, which is not trusted. */
  content_type: string
  /**
   * Read it to the end: problems in the rest of the upload (too large, cut off, a second file) are thrown there. Use a
   * chunk before asking for the next, which frees its memory.
   */
  chunks: AsyncIterable<Uint8Array>
}
export const fileStream = v.custom<FileStream>(
  (file) => typeof file === 'object' && file !== null && 'chunks' in file && isIterable(file.chunks),
  'You must upload exactly one file.',
)
const isIterable = (chunks: unknown): boolean =>
  typeof chunks === 'object' && chunks !== null && Symbol.asyncIterator in chunks

/** An http or https address. Clients turn addresses into links, so schemes such as `javascript:` must not pass. */
export const isWebAddress = (address: string): boolean => /^https?:\/\/\S+$/i.test(address) && URL.canParse(address)
