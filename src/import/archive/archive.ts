/** The files of a source, wherever they are. Names have slashes, and no file is outside. */
export interface Archive {
  /** All names, in order. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** Bytes once it is unpacked. */
  size(name: string): number
  /** Reads an entire file into memory: at most `limits.wholeBytes`. */
  read(name: string): Promise<Uint8Array>
  stream(name: string): AsyncIterable<Uint8Array>
  /** The name of a downloaded copy of what the archive only has an address of. Missing unless files are downloaded. */
  downloaded?(url: string): string | undefined
  close(): Promise<void>
}

/** What an archive may have. A message names the limit that it exceeds. */
export interface ArchiveLimits {
  files: number
  /** Bytes of all files together, unpacked. */
  bytes: number
  /** Maximum size of a file that must be read as a whole. */
  wholeBytes: number
  /** Folders inside folders. */
  depth: number
  /** How many times larger a file of more than a megabyte may be than its compressed form. */
  ratio: number
}

const MIB = 1024 * 1024

export const defaultArchiveLimits: ArchiveLimits = {
  files: 3_000_000,
  bytes: 500 * 1024 * MIB,
  wholeBytes: 128 * MIB,
  depth: 16,
  ratio: 300,
}
