/** The smallest piece of memory, which is also enough for most text. */
const FIRST_BYTES = 64 * 1024
/** Memory beyond this is given back when the text is cleared. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024
/** A UTF-16 unit takes at most three bytes. */
const BYTES_PER_UNIT = 3
const MAX_DIGITS = 16
const MAX_SMALL = 0x7fffffff

/** Text as UTF-8. Its memory is used again after `clear`, so that much text leaves nothing for the garbage collector. */
export interface TextBytes {
  readonly length: number
  put(text: string): void
  /** Adds text that is encoded already. */
  putBytes(bytes: Uint8Array): void
  /** Adds the digits of an integer that is not negative. */
  putNumber(value: number): void
  /** Returns the text. The bytes are valid until the next change. */
  bytes(): Uint8Array
  clear(): void
}

export function textBytes(): TextBytes {
  let memory = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let length = 0

  function need(more: number): void {
    if (length + more <= memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * memory.length, length + more))
    memory.copy(larger, 0, 0, length)
    memory = larger
  }
  function put(text: string): void {
    need(text.length * BYTES_PER_UNIT)
    length += memory.write(text, length)
  }

  return {
    get length() {
      return length
    },
    put,
    putBytes(bytes) {
      need(bytes.length)
      // Most are short, for which a loop is faster than a call into native code.
      for (let i = 0; i < bytes.length; i++) memory[length + i] = bytes[i]!
      length += bytes.length
    },
    putNumber(value) {
      if (value > MAX_SMALL) return put(String(value))
      need(MAX_DIGITS)
      let digits = 1
      for (let power = 10; power <= value; power *= 10) digits++
      let rest = value
      for (let at = length + digits - 1; at >= length; at--) {
        const next = (rest / 10) | 0
        memory[at] = 48 + rest - next * 10
        rest = next
      }
      length += digits
    },
    bytes: () => memory.subarray(0, length),
    clear() {
      length = 0
      if (memory.length > MOST_KEPT_BYTES) memory = Buffer.allocUnsafeSlow(FIRST_BYTES)
    },
  }
}
