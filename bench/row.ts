import { median, withRange } from './median.ts'

/** How many times its goal a figure may be before the run fails. Without it, figures are only printed. */
const FACTOR = Number(process.env.BENCH_FACTOR ?? Number.POSITIVE_INFINITY)
/** How many times slower this machine is than the machine of the goals. Goals for times are multiplied by it. */
const SLOWNESS = Number(process.env.BENCH_SLOWNESS ?? 1)

const factorOf = (unit: string): number => (/^[mµ]?s$/.test(unit) ? FACTOR * SLOWNESS : FACTOR)

/** Prints a figure beside its goal. Sets the exit code if the figure exceeds `slip`, or the goal too many times. */
export function row(
  name: string,
  value: number,
  unit: string,
  goal?: number,
  slip = (goal ?? 0) * factorOf(unit),
): void {
  const digits = value < 10 ? 1 : 0
  const figure = `${value.toFixed(digits)} ${unit}`.padStart(12)
  const verdict = goal === undefined ? '' : `  goal ${goal} ${unit}: ${value <= goal ? 'met' : 'MISSED'}`
  console.log(`${name.padEnd(74)}${figure}${verdict}`)
  if (goal === undefined || value <= slip || FACTOR === Number.POSITIVE_INFINITY) return
  console.error(`${name}: ${value.toFixed(digits)} ${unit}, at most ${slip.toFixed(digits)}`)
  process.exitCode = 1
}

interface SpreadOptions {
  /** The goal, if it must not be exceeded. */
  most?: number | undefined
  /** The goal, if it must be reached. */
  least?: number | undefined
  digits?: number
}

/** Prints the median of several turns with its range, beside a goal. */
export function spread(
  name: string,
  turns: readonly number[],
  unit: string,
  { most, least, digits = 0 }: SpreadOptions = {},
): void {
  const figure = `${withRange(turns, digits)} ${unit}`.trimEnd()
  const isMet = median(turns) <= (most ?? Number.POSITIVE_INFINITY) && median(turns) >= (least ?? 0)
  const goal = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : undefined
  const verdict = goal ? `  goal ${`${goal} ${unit}`.trimEnd()}: ${isMet ? 'met' : 'MISSED'}` : ''
  console.log(`${name.padEnd(70)}${figure}${verdict}`)
}
