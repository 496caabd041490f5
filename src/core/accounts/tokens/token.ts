import { crc32 } from 'node:zlib'
import type { ApiKeyTable } from '../../../storage/index.ts'
import { type Random, randomText } from '../../kernel/base/random.ts'
import type { Grant, KeyScope } from '../../kernel/scopes.ts'

/** Limited keys begin with this, so that people and scanners of source code recognize them. */
const PREFIX = 'cst_'
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const FORM = new RegExp(`^${PREFIX}([A-Za-z0-9]{${RANDOM_LENGTH}})([A-Za-z0-9]{${CHECK_LENGTH}})$`)
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns a checksum, with which a scanner tells a key from a text that only looks like one. */
function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    check = DIGITS[rest % DIGITS.length] + check
    rest = Math.floor(rest / DIGITS.length)
  }
  return check
}

/** Returns a new limited key. */
export function newToken(random: Random): string {
  const text = randomText(random, RANDOM_LENGTH)
  return `${PREFIX}${text}${checkOf(text)}`
}

/** Returns whether a text has the form of a limited key, with the right checksum. */
export function isToken(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? []
  return random !== undefined && checkOf(random) === check
}

/** Returns what the stored key permits. */
export function grantIn({ scopes, channels }: Pick<ApiKeyTable, 'scopes' | 'channels'>): Grant {
  const permitted = (scopes ?? '').split(' ').filter(Boolean) as KeyScope[]
  return { scopes: permitted, ...(channels !== null && { channels: JSON.parse(channels) as number[] }) }
}
