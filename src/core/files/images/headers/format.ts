/** Facts read from the bytes of an image. */
export interface Picture {
  width: number
  height: number
  /** More than one for an animation. */
  frames: number
}

/** Chunks and frames that a file may have: far more than an emoji needs, few enough to read quickly. */
const MAX_PARTS = 10_000

/** Counts one more part. A file with too many parts counts as unreadable. */
export function countPart(part: number): void {
  if (part > MAX_PARTS) throw new RangeError('too many parts')
}

/** An image format, recognized by its first bytes. All its functions take linear time. */
export interface ImageFormat {
  content_type: string
  extension: string
  /** By the magic number alone. */
  recognizes(bytes: Uint8Array): boolean
  /** Reads at least to the pixels of the first frame; undefined, or a RangeError, for a file that has none. */
  read(bytes: Uint8Array): Picture | undefined
  /** The first frame of an animation as a file of its own, cut out without decoding anything. */
  still?(bytes: Uint8Array): Uint8Array | undefined
}

export const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean => textAt(bytes, at, text.length) === text

/** Bytes as Latin-1 text; shorter at the end of the file. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** A DataView: reading beyond its end throws a RangeError. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
