import * as crypto from 'node:crypto'

/** More work than these hashes need would only delay others. */
const MOST_ITERATIONS = 5_000_000
const MOST_KIBIBYTES = 256 * 1024
const MOST_PASSES = 10
const MOST_LANES = 16
const MOST_BCRYPT_COST = 14
const BYTES = { least: 16, most: 64 }

/** pbkdf2_sha256$<iterations>$<salt>$<hash>, as Django writes it. */
const PBKDF2 = /^pbkdf2_sha256\$(\d{1,8})\$([^$]{1,128})\$([\w+/]{20,100}=*)$/
/** argon2$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>, as Django writes it. */
const ARGON2 =
  /^argon2\$(argon2(?:id|i|d))\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{8,100})\$([\w+/]{20,100})$/
/** $2a$<cost>$<salt and hash>, as Mattermost writes it. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

interface Argon2Options {
  message: string
  nonce: Uint8Array
  tagLength: number
  memory: number
  passes: number
  parallelism: number
}
/** Node.js has it since version 24.7, and its types don't know it yet. */
const { argon2: deriveArgon2 } = crypto as {
  argon2?: (kind: string, options: Argon2Options, done: (error: Error | null, key: Uint8Array) => void) => void
}

type Verify = (password: string) => Promise<boolean>

/** Returns what verifies a password with the hash of another server; undefined if nothing here can. */
export function foreignHash(hash: string): Verify | undefined {
  return pbkdf2(hash) ?? argon2(hash) ?? bcrypt(hash)
}

function pbkdf2(hash: string): Verify | undefined {
  const [, count, salt, encoded] = PBKDF2.exec(hash) ?? []
  const expected = bytesOf(encoded)
  const iterations = Number(count)
  if (!expected || !(iterations >= 1 && iterations <= MOST_ITERATIONS)) return undefined
  return (password) =>
    new Promise((resolve, reject) => {
      crypto.pbkdf2(password, salt!, iterations, expected.length, 'sha256', (error, key) =>
        error ? reject(error) : resolve(crypto.timingSafeEqual(key, expected)),
      )
    })
}

function argon2(hash: string): Verify | undefined {
  const [, kind, memory, passes, lanes, salt, encoded] = ARGON2.exec(hash) ?? []
  const expected = bytesOf(encoded)
  if (!expected || !deriveArgon2) return undefined
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) }
  const isUsual =
    parameters.memory >= 8 * parameters.parallelism &&
    parameters.memory <= MOST_KIBIBYTES &&
    parameters.passes >= 1 &&
    parameters.passes <= MOST_PASSES &&
    parameters.parallelism >= 1 &&
    parameters.parallelism <= MOST_LANES
  if (!isUsual) return undefined
  const nonce = Buffer.from(salt!, 'base64')
  return (password) =>
    new Promise((resolve, reject) => {
      const options = { message: password, nonce, tagLength: expected.length, ...parameters }
      deriveArgon2(kind!, options, (error, key) =>
        error ? reject(error) : resolve(crypto.timingSafeEqual(key, expected)),
      )
    })
}

function bcrypt(hash: string): Verify | undefined {
  const cost = Number(BCRYPT.exec(hash)?.[1])
  if (!(cost >= 4 && cost <= MOST_BCRYPT_COST)) return undefined
  return async (password) => (await import('bcryptjs')).default.compare(password, hash)
}

/** Returns the bytes of a hash, unless it is too short to mean anything. */
function bytesOf(encoded: string | undefined): Buffer | undefined {
  const bytes = encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
  return bytes && bytes.length >= BYTES.least && bytes.length <= BYTES.most ? bytes : undefined
}
