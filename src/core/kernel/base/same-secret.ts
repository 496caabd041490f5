import { timingSafeEqual } from 'node:crypto'

/** Returns whether two texts are equal, in a time that doesn't reveal where they differ. */
export function isSameSecret(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
