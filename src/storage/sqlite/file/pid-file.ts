import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** The owner of a database. The real lock is in owner-lock.ts; this file only names the process. */
export interface Holder {
  pid: number
  host: string
  since: string
}

const pathOf = (file: string) => `${file}.lock`

export function writeHolder(file: string): void {
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  writeFileSync(pathOf(file), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
}

export function readHolder(file: string): Holder | undefined {
  try {
    const found = JSON.parse(readFileSync(pathOf(file), 'utf8')) as Partial<Holder> | null
    const { pid, host, since } = found ?? {}
    // It may be incomplete if the owner is just starting.
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return undefined
    return { pid, host, since }
  } catch {
    return undefined
  }
}

/** Removes the file, unless it names another process. */
export function removeHolder(file: string): void {
  const holder = readHolder(file)
  if (holder && (holder.pid !== process.pid || holder.host !== hostname())) return
  rmSync(pathOf(file), { force: true })
}
