import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { type Random, randomText } from '../kernel/base/random.ts'
import type { Context, PasswordVerdict } from '../kernel/context.ts'

/** scrypt$<log2 N>$<salt>$<hash>, both base64url. */
const FORMAT = /^scrypt\$(\d+)\$([\w-]+)\$([\w-]+)$/
const BYTES = 32

/** The default for the logarithm of scrypt's N. A hash takes about 80 ms and 32 MiB. */
export const PASSWORD_COST = 15

// @NOTE the asynchronous form uses the thread pool; the synchronous one would block all requests for 50 ms
const derive = (password: string, salt: Uint8Array, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options: ScryptOptions = { N: 2 ** cost, r: 8, p: 1, maxmem: 2 ** cost * 1024 * 2 }
    scrypt(password.normalize('NFKC'), salt, BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return `scrypt$${cost}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** A generated password and its hash. */
export interface NewPassword {
  readonly password: string
  readonly hash: string
}

export async function generatePassword(random: Random, cost: number): Promise<NewPassword> {
  const password = randomText(random, 20)
  return { password, hash: await hashPassword(password, cost) }
}

/** Whether another server made this hash. It is replaced at the first sign-in. */
export const isForeign = (hash: string): boolean => !FORMAT.test(hash)

/**
 * Returns whether a password matches a hash. It takes as long without a hash, so that timing doesn't reveal whether
 * the account exists.
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  cost: number,
): Promise<boolean> {
  if (hash && isForeign(hash)) {
    // Loaded on demand, because only people whom an import brought have such a hash, until they sign in.
    const { foreignHash } = await import('./foreign-passwords.ts')
    const verify = foreignHash(hash)
    if (verify) return verify(password)
  }
  const [, n, salt, expected] = FORMAT.exec(hash ?? '') ?? []
  const key = await derive(password, Buffer.from(salt ?? 'absent', 'base64url'), n ? Number(n) : cost)
  if (!expected) return false
  const requested = Buffer.from(expected, 'base64url')
  return requested.length === key.length && timingSafeEqual(requested, key)
}

/**
 * Returns whether a password is right. Every password in a request is checked through this function, so that wrong
 * ones from all endpoints are counted together.
 *
 * @param account - the email address in the request, whether or not the account exists
 * @throws ChatError RATE_LIMIT_HIT
 */
export const tryPassword = <V extends PasswordVerdict>(
  { guardPassword }: Context,
  account: string,
  attempt: () => Promise<V>,
): Promise<V> => (guardPassword ? guardPassword(account, attempt) : attempt())
