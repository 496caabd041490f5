import { readFileSync } from 'node:fs'

/** Clock ticks a second, as Linux reports processor times to programs. */
const TICKS = 100

/** Returns the processor time that a process has used, in microseconds; undefined if the system doesn't tell. */
export function processorTime(pid: number): number | undefined {
  try {
    // The name, in parentheses, may have spaces. The 14th and 15th fields are user and system time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000_000
  } catch {
    return undefined
  }
}
