/** How many times a goal a figure may be before the run fails; figures are only printed unless it is given. */
const FACTOR = Number(process.env.BENCH_FACTOR ?? Number.POSITIVE_INFINITY)

/** Prints a figure beside its goal. Sets the exit code where it is too far beyond it: `slip`, or so many times the goal. */
export function row(name: string, value: number, unit: string, goal?: number, slip = (goal ?? 0) * FACTOR): void {
  const digits = value < 10 ? 1 : 0
  const figure = `${value.toFixed(digits)} ${unit}`.padStart(12)
  const verdict = goal === undefined ? '' : `  goal ${goal} ${unit}: ${value <= goal ? 'met' : 'MISSED'}`
  console.log(`${name.padEnd(74)}${figure}${verdict}`)
  if (goal === undefined || value <= slip || FACTOR === Number.POSITIVE_INFINITY) return
  console.log(`  more than ${slip} ${unit}`)
  process.exitCode = 1
}
