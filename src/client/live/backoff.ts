const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Returns the milliseconds to wait after this many failures in a row. The delay doubles and is random in its upper
 * half, so that the clients of a restarted server don't all return at the same time.
 */
export function backoff(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  return longest * (0.5 + random() / 2)
}
