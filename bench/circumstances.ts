import { cpus, loadavg } from 'node:os'

/** The date, the machine and its load at the moment. Print it before and after a measurement. */
export function circumstances(): string {
  const [load] = loadavg()
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  return `${date} UTC, Node.js ${process.version}, ${cpus().length} cores (${model}), load ${load!.toFixed(1)}`
}
