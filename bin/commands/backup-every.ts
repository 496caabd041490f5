import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import timers from 'node:timers/promises'
import { secretFile } from '../../src/storage/index.ts'
import { requireFile } from '../file-only.ts'
import type { Io } from '../io.ts'
import { onStop } from '../stop-signals.ts'
import { copy } from './backup.ts'

interface Schedule {
  db: string
  target: string
  secret: boolean
  /** Seconds. */
  every: number
  /** How many of the newest backups to keep; all by default. */
  keep?: number
}

/**
 * Writes backups into a folder until it is stopped. The first one is made immediately, unless the newest is younger
 * than the interval.
 */
export async function backupEvery(schedule: Schedule, io: Io): Promise<void> {
  const { db, target: folder, every } = schedule
  requireFile(db, "use PostgreSQL's own tools to back it up: pg_dump, or pg_basebackup with an archive of the log")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stopped = new AbortController()
  onStop(io, async () => stopped.abort())
  const newest = copiesOf(db, folder).at(-1)
  const age = newest === undefined ? Number.POSITIVE_INFINITY : (Date.now() - statSync(newest).mtimeMs) / 1000
  if (age < every) await wait(every - age, stopped.signal)
  while (!stopped.signal.aborted) {
    await copyAndPrune(schedule, io)
    await wait(every, stopped.signal)
  }
}

/**
 * Reports a failure and continues with the next backup. The server may be starting, or the disk be full for a while.
 */
async function copyAndPrune({ db, target: folder, secret, keep }: Schedule, io: Io): Promise<void> {
  const file = join(folder, nameFor(db, new Date()))
  try {
    const { kib } = await copy({ db, secret }, file)
    io.stdout.write(`Backed up ${db} to ${file} (${kib} KiB)\n`)
    if (keep === undefined) return
    for (const old of copiesOf(db, folder).slice(0, -keep)) {
      rmSync(old)
      rmSync(secretFile(old), { force: true })
    }
  } catch (error) {
    io.stderr.write(`chat-server: backup failed at ${new Date().toISOString()}: ${(error as Error).message}\n`)
  }
}

const stem = (db: string): string => basename(db, extname(db))
const nameFor = (db: string, time: Date): string =>
  `${stem(db)}-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}${extname(db)}`

/** Backups of a database made by this command, oldest first. Other files are left alone. */
function copiesOf(db: string, folder: string): string[] {
  const isCopy = (name: string) =>
    name.startsWith(`${stem(db)}-`) &&
    name.endsWith(extname(db)) &&
    /^\d{8}T\d{6}Z$/.test(name.slice(stem(db).length + 1, name.length - extname(db).length))
  return readdirSync(folder)
    .filter(isCopy)
    .sort()
    .map((name) => join(folder, name))
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  timers.setTimeout(seconds * 1000, undefined, { signal }).catch(() => {})
