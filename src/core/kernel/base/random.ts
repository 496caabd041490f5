import { randomBytes } from 'node:crypto'

/** The source of secrets and identifiers; tests may inject a repeatable one. */
export interface Random {
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) }

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns evenly distributed letters and digits. Bytes that would favor some of them are discarded. */
export function randomText(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
    }
  }
  return text
}
