import { hash } from 'node:crypto'

/**
 * SHA-256 of a JSON-like value, as base64url. The order of an object's members does not matter; members that are
 * undefined count as absent; bytes count by their content.
 *
 * @example
 * digest({ a: 1, b: undefined }) === digest({ a: 1 })
 */
export const digest = (value: unknown): string => hash('sha256', JSON.stringify(value, canonical), 'base64url')

function canonical(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { sha256: hash('sha256', value, 'base64url') }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
