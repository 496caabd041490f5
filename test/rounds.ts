/** Whether long tests run in full, as in `npm run test:all`. */
const isFull = process.env.TEST_FULL === '1'

/** How often a long test repeats what it does. */
export interface Repetitions {
  /** In `npm test`. */
  short: number
  /** In `npm run test:all`, which runs for every change. A night has many more (test/nightly.js). */
  full: number
  /** The environment variable that sets another number. */
  variable?: string
}

/** Returns how often a long test repeats what it does. */
export function rounds({ short, full, variable }: Repetitions): number {
  const given = variable === undefined ? undefined : process.env[variable]
  return given === undefined ? (isFull ? full : short) : Number(given)
}

/** For a test without a shorter form: it runs in `npm run test:all`. */
export const onlyInFull = (reason: string) => ({ skip: isFull ? false : `only in npm run test:all: ${reason}` })
