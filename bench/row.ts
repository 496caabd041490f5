/** How many times a goal a figure may be before the run fails; figures are only printed unless it is given. */
const FACTOR = Number(process.env.BENCH_FACTOR ?? Number.POSITIVE_INFINITY)
/** How many times slower the machine is than that of the goals: so many times more may a time be. */
const SLOWNESS = Number(process.env.BENCH_SLOWNESS ?? 1)

const factorOf = (unit: string): number => (/^[mµ]?s$/.test(unit) ? FACTOR * SLOWNESS : FACTOR)

/** Prints a figure beside its goal. Sets the exit code where it is too far beyond it: `slip`, or so many times the goal. */
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
