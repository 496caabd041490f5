import { readdirSync, readFileSync } from 'node:fs'

/** The unit of /proc on all machines. */
const TICKS_PER_SECOND = 100

/**
 * Returns the processor time of this process and of all below it, whether they run or have ended. On a busy machine it says more than a
 * clock. Only Linux tells it.
 */
export function processorSeconds(): number | undefined {
  try {
    const children = new Map<number, { id: number; ticks: number }[]>()
    for (const name of readdirSync('/proc')) {
      const found = /^\d+$/.test(name) ? read(Number(name)) : undefined
      if (found) children.set(found.parent, [...(children.get(found.parent) ?? []), found])
    }
    const below = (id: number): number =>
      (children.get(id) ?? []).reduce((sum, child) => sum + child.ticks + below(child.id), 0)
    return (read(process.pid)!.ticks + below(process.pid)) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}

/** Reads a process, if it still runs. */
function read(id: number): { id: number; parent: number; ticks: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${id}/stat`, 'utf8')
  } catch (error) {
    if (id === process.pid) throw error
    return undefined
  }
  // The name of the program may contain spaces and parentheses.
  const fields = text.replace(/^.*\) /s, '').split(' ')
  // Fields 14 to 17: user and system time, of the process and of its children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { id, parent: Number(fields[1]), ticks }
}
