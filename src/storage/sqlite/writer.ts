import type Database from 'better-sqlite3'
import { StorageError, storeClosed } from '../errors.ts'
import type { Db } from '../handle.ts'
import { promised } from '../outcome.ts'
import type { Soon } from '../soon.ts'
import type { Store, WriteOptions, WriteScope } from '../store.ts'
import { nextTurn, timers } from '../timers.ts'
import { createConnection, sqliteHandle } from './connection.ts'
import { foreignAwait } from './file/failures.ts'
import type { Health } from './health.ts'
import { createTransactions, type Job } from './transaction.ts'
import { createTurn } from './turn.ts'

/**
 * How many writes may share one commit, and for how many milliseconds. It limits the delay of the last write and of
 * the event loop.
 */
const MAX_GROUP = 256
const DEFAULT_GROUP_MS = 10
/**
 * A write that awaits anything but the database delays all others. Writes waiting behind it fail after this time, in
 * milliseconds.
 */
const PATIENCE_MS = 10_000

export interface Writer {
  read: Db
  write<T>(work: (scope: WriteScope) => Soon<T>, options?: WriteOptions): Promise<T>
  /** Runs reads between two commits, so that they see the database at one point in time. */
  readBetween<T>(work: (db: Db) => Promise<T>): Promise<T>
  observeCommits: Store['observeCommits']
  /** Resolves when all accepted writes are settled. Later ones are rejected. */
  close(): Promise<void>
}

export interface WriterOptions {
  health: Health
  onForeignAwait?: (() => void) | undefined
  groupMs?: number | undefined
  patienceMs?: number | undefined
  /** Called before each transaction. Throws if its commit would be lost. */
  prepare?: (() => void) | undefined
  /** Called after each commit, before it is acknowledged. Throws if it was lost nevertheless. */
  confirm?: (() => void) | undefined
}

/**
 * Creates the only write path. Writes requested in one tick of the event loop run in one transaction, and are answered
 * together after the commit. That makes them durable with a fraction of the syncs.
 */
export function createWriter(database: Database.Database, options: WriterOptions): Writer {
  const {
    health,
    onForeignAwait,
    groupMs = DEFAULT_GROUP_MS,
    patienceMs = PATIENCE_MS,
    prepare,
    confirm = () => {},
  } = options
  const turn = createTurn(onForeignAwait)
  const observers: ((writes: number) => void)[] = []
  const onCommit = (writes: number) => {
    for (const observe of observers) observe(writes)
  }
  const transactions = createTransactions(database, { health, turn, groupMs, confirm, onCommit })
  let writes: Job[] = []
  let readings: Job[] = []
  let busy: Promise<unknown> | undefined
  let draining: Promise<void> | undefined
  let closed = false
  /** Called when the database is closed, for reads too. */
  let ended = false

  const read = sqliteHandle(createConnection(database, health, false), () => {
    if (ended) throw storeClosed()
    // Checked first because a job begins before `busy` is set.
    if (turn.isInside) {
      throw new StorageError('misuse', "the read handle was used inside a write; use the write's own handle")
    }
    return busy && waitWithTimeout(busy, patienceMs)
  })

  /** Keeps the connection for the work until it is over. */
  async function occupied<T>(work: Promise<T>): Promise<T> {
    busy = work
    try {
      return await work
    } finally {
      busy = undefined
    }
  }

  async function drain(): Promise<void> {
    let readNext = true
    for (;;) {
      if (readings.length > 0 && (readNext || writes.length === 0)) await readTogether(readings.splice(0))
      else await commitTogether(writes.splice(0, MAX_GROUP))
      readNext = !readNext
      if (writes.length === 0 && readings.length === 0) break
      // @NOTE always needed: other code in the microtask queue would count as inside the next group
      await nextTurn()
    }
    draining = undefined
  }

  async function readTogether(jobs: Job[]): Promise<void> {
    readings = (await occupied(transactions.read(jobs))).concat(readings)
  }

  async function commitTogether(jobs: Job[]): Promise<void> {
    if (jobs.length === 0) return
    try {
      // After a failed sync, it is unknown what is on disk.
      if (health.broken) throw health.broken
      prepare?.()
      await transactions.begin(jobs)
    } catch (cause) {
      const error = transactions.asStorageError(cause)
      for (const job of jobs) job.settle({ error })
      return
    }
    writes = (await occupied(transactions.run(jobs))).concat(writes)
  }

  function enqueue<T>(kind: Job['kind'], work: Job['work']): Promise<T> {
    if (health.broken) return Promise.reject(health.broken)
    if (closed) return Promise.reject(storeClosed())
    if (turn.isInside) {
      return Promise.reject(
        new StorageError('misuse', 'a write was opened inside another write; pass the existing transaction on instead'),
      )
    }
    return promised<T>((settle) => {
      const job: Job = { work, kind, effects: [], settle }
      if (kind === 'reading') readings.push(job)
      else writes.push(job)
      // A write that awaits something other than the database could block this job forever.
      if (turn.taken) rejectAfterTimeout(job)
      draining ??= nextTurn().then(drain)
    })
  }

  function rejectAfterTimeout(job: Job): void {
    const timer = timers.setTimeout(() => {
      const waits = (other: Job) => other !== job
      if (writes.every(waits) && readings.every(waits)) return
      writes = writes.filter(waits)
      readings = readings.filter(waits)
      job.settle({ error: foreignAwait() })
    }, patienceMs)
    timer.unref()
  }

  return {
    read,
    write: (work, { relaxed = false } = {}) => enqueue(relaxed ? 'relaxed' : 'durable', work),
    observeCommits: (observe) => void observers.push(observe),
    readBetween: (work) => enqueue('reading', ({ db }) => work(db)),
    async close() {
      closed = true
      await draining
      ended = true
    },
  }
}

async function waitWithTimeout(busy: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = timers.setTimeout(() => reject(foreignAwait()), patienceMs)
    timer.unref()
  })
  try {
    await Promise.race([busy, timeout])
  } finally {
    timers.clearTimeout(timer)
  }
}
