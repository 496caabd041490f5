import { hash } from 'node:crypto'
import type { Chat } from './chat.ts'
import { secretsOf } from './secrets.ts'

/**
 * Returns the SHA-256 of a JSON-like value, as base64url. The order of an object's members doesn't matter, undefined
 * members count as missing, and bytes are hashed by their content.
 * @example
 * digest({ a: 1, b: undefined }) === digest({ a: 1 })
 */
export const digest = (value: unknown): string => hash('sha256', JSON.stringify(value, canonical), 'base64url')

/**
 * Returns a digest keyed with the chat's secret, for values that contain passwords, which must not be guessable from
 * it.
 */
export const secretDigest = (chat: Chat, value: unknown): string =>
  secretsOf(chat).digest(JSON.stringify(value, canonical))

function canonical(this: unknown, name: string, value: unknown): unknown {
  // A Buffer arrives as the result of its toJSON, a list of numbers; `this` is the object that has it, whatever its type.
  const bytes = (this as Record<string, unknown>)[name]
  if (bytes instanceof Uint8Array) return { sha256: hash('sha256', bytes, 'base64url') }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
