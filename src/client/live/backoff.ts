const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before trying again after this many failures in a row, in milliseconds: doubling, and anywhere in the
 * upper half of that, so that the clients of a server that was away do not all come at once.
 */
export function backoff(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  return longest * (0.5 + random() / 2)
}
