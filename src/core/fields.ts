import * as v from 'valibot'
import { MAX_LIST_LENGTH } from './base/limits.ts'

/** Parameters that several nouns share. */

export const id = v.pipe(v.number(), v.integer(), v.safeInteger(), v.minValue(0, '{name} is not a valid id'))
export const integer = v.pipe(v.number(), v.integer(), v.safeInteger())
export const count = v.pipe(integer, v.minValue(0, '{name} must not be negative'))
export const ids = v.pipe(v.array(id), v.maxLength(MAX_LIST_LENGTH, '{name} has too many entries'))
export const bool = v.boolean()
/** @NOTE the driver would cut a text at NUL, and lone surrogates cannot be stored as they came. */
export const text = v.pipe(
  v.string(),
  v.check((s) => !s.includes('\0'), '{name} must not contain null characters'),
  v.transform((s) => s.toWellFormed()),
)
export const line = v.pipe(
  text,
  v.trim(),
  v.check((s) => !/[\p{Cc}\p{Cs}]/u.test(s), '{name} must not contain control characters'),
)
export const nonEmptyLine = v.pipe(line, v.nonEmpty('{name} cannot be blank'))
export const none = v.object({})

/** A parameter with a sentence for the API document. */
export const described = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(schema, v.description(sentence))

/** A file that came with the parameters. */
export interface UploadedFile {
  name: string
  bytes: Uint8Array
}
export const uploadedFile = v.custom<UploadedFile>(
  (file) => typeof file === 'object' && file !== null && 'bytes' in file && file.bytes instanceof Uint8Array,
  'You must upload exactly one file.',
)

/** A file that comes with the parameters and is read while it arrives, so that it is never in memory as a whole. */
export interface FileStream {
  name: string
  /** What its sender calls it; not to be believed. */
  content_type: string
  /**
   * To be read to its end: what is wrong with the rest of the upload (too large, cut off, a second file) is thrown there.
   */
  chunks: AsyncIterable<Uint8Array>
}
export const fileStream = v.custom<FileStream>(
  (file) => typeof file === 'object' && file !== null && 'chunks' in file && isIterable(file.chunks),
  'You must upload exactly one file.',
)
const isIterable = (chunks: unknown): boolean =>
  typeof chunks === 'object' && chunks !== null && Symbol.asyncIterator in chunks

/** An http or https address. Clients make links of addresses, so nothing that runs may pass. */
export const isWebAddress = (address: string): boolean => /^https?:\/\/\S+$/i.test(address) && URL.canParse(address)
