import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kernel/base/same-secret.ts'

/** What authenticator apps assume (RFC 6238): SHA-1, six digits, a step of 30 seconds. */
const STEP_SECONDS = 30
const DIGITS = 6
/** A code of the step before or after counts too, because clocks differ and people type slowly. */
const WINDOW = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns bytes in base32, as authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

const bytesOf = (secret: string): Uint8Array => {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const stepAt = (seconds: number): number => Math.floor(seconds / STEP_SECONDS)

/** Returns the code of a step. The secret is in base32. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Returns the step that a code belongs to; undefined if it is wrong, or if this or a later step was already used.
 *
 * @param last - the last step that was used
 */
export function stepOf(secret: string, code: string, now: number, last: number): number | undefined {
  let found: number | undefined
  // All are compared, so that timing says nothing about which.
  for (let step = stepAt(now) - WINDOW; step <= stepAt(now) + WINDOW; step++) {
    if (isSameSecret(code, codeOf(secret, step)) && step > last) found ??= step
  }
  return found
}

/** Returns the address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer.replaceAll(':', ' '))}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
