import type Database from 'better-sqlite3'
import { StorageError } from '../errors.ts'
import type { Db, TxDb } from '../handle.ts'
import type { WriteOptions, WriteScope } from '../store.ts'
import { createConnection } from './connection.ts'
import { isBusy } from './errors.ts'
import { foreignAwait, lockedTooLong } from './failures.ts'
import { sqliteHandle } from './handle.ts'
import type { Health } from './health.ts'

/** How many writes may share one commit, and for how long: bounds how long the last of them and the event loop wait. */
const MAX_GROUP = 256
const DEFAULT_GROUP_MS = 10
/** A write that awaits anything but the database holds up all others; whoever waits behind it gives up after this. */
const PATIENCE_MS = 10_000
/** Another program may lock the file for a moment, a replicator for instance. */
const BEGIN_PAUSES_MS = [1, 2, 5, 10, 20, 50, 100, 200, 400, 800, 1600, 1800]

interface Job {
  work: (scope: WriteScope) => Promise<unknown>
  kind: 'durable' | 'relaxed' | 'reading'
  effects: (() => void)[]
  settle: (outcome: Outcome) => void
}
type Outcome = { value: unknown } | { error: unknown }

export interface Writer {
  read: Db
  write<T>(work: (scope: WriteScope) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Runs reads in the order of the writes, between two of them: they see one moment. */
  readBetween<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Resolves when all accepted writes are settled; later ones are refused. */
  close(): Promise<void>
}

export interface WriterOptions {
  health: Health
  /** A write awaited something else than the database, and all others wait for it. */
  onForeignAwait?: (() => void) | undefined
  groupMs?: number | undefined
}

/**
 * The one write path. Writes asked for in one turn of the event loop run in one transaction, each in its savepoint,
 * and are answered together after the commit: durability at a fraction of the syncs.
 */
export function createWriter(database: Database.Database, options: WriterOptions): Writer {
  const { health, onForeignAwait, groupMs = DEFAULT_GROUP_MS } = options
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const savepoint = database.prepare('savepoint job')
  const release = database.prepare('release job')
  const connection = createConnection(database, health, true)
  const readConnection = createConnection(database, health, false)
  const inMemory = database.memory
  let waiting: Job[] = []
  let busy: Promise<void> | undefined
  let draining: Promise<void> | undefined
  let group: object | undefined
  let current: Job | undefined
  let closed = false
  let relaxed = false
  /** Whether the running group has let go of the event loop. */
  let turned = false

  /**
   * A write that awaits only the database lives in one run of the microtask queue, where nothing foreign can run: so
   * whoever comes by another way before that queue is empty is inside the write, and waiting for it would be waiting
   * for itself. AsyncLocalStorage would tell the same at a quarter more processor time a send.
   */
  const isInside = () => current !== undefined && !turned

  const read = sqliteHandle(readConnection, () => {
    // Asked first: a write begins before `busy` is set.
    if (isInside()) {
      throw new StorageError('misuse', 'the read handle was used inside a write; use the handle of the write')
    }
    return busy && waitWithTimeout(busy)
  })

  async function runJob(job: Job, transaction: object, needsSavepoint: boolean): Promise<Outcome> {
    if (needsSavepoint) savepoint.run()
    const db = sqliteHandle(job.kind === 'reading' ? readConnection : connection, () => {
      if (current !== job) throw new StorageError('misuse', 'a write handle was used after its write had ended')
      return undefined
    }) as TxDb
    current = job
    try {
      const value = await job.work({ db, transaction, afterCommit: (effect) => void job.effects.push(effect) })
      if (needsSavepoint) release.run()
      return { value }
    } catch (error) {
      job.effects = []
      // SQLite may have ended the whole transaction itself, on a full disk for one.
      if (needsSavepoint && database.inTransaction) database.exec('rollback to job; release job')
      return { error: health.translate(error) }
    } finally {
      current = undefined
    }
  }

  /** Runs the jobs in the transaction that has begun; those it has no time for go back into the queue. */
  async function runGroup(jobs: Job[]): Promise<void> {
    const outcomes: Outcome[] = []
    const alone = jobs.length === 1
    const started = performance.now()
    const transaction = {}
    group = transaction
    turned = false
    process.nextTick(() => {
      if (group !== transaction) return
      turned = true
      onForeignAwait?.()
    })
    try {
      for (const [i, job] of jobs.entries()) {
        if (i > 0 && performance.now() - started > groupMs) {
          waiting = jobs.splice(i).concat(waiting)
          break
        }
        const outcome = await runJob(job, transaction, !alone && job.kind !== 'reading')
        outcomes.push(outcome)
        if (!database.inTransaction) {
          throw 'error' in outcome ? outcome.error : new Error('the transaction ended by itself')
        }
      }
      if (alone && 'error' in outcomes[0]!) database.exec('rollback')
      else if (health.broken) throw health.broken
      else commit.run()
    } catch (cause) {
      const error = asStorageError(cause)
      undo()
      for (const job of jobs) job.settle({ error })
      return
    } finally {
      group = undefined
    }
    for (const [i, job] of jobs.entries()) job.settle(runEffects(job, outcomes[i]!))
  }

  function undo(): void {
    try {
      if (database.inTransaction) database.exec('rollback')
    } catch (error) {
      health.translate(error)
    }
  }

  function asStorageError(cause: unknown): StorageError {
    const error = health.translate(cause)
    if (error instanceof StorageError) return error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new StorageError('broken', `The database failed: ${reason}`, { cause })
  }

  /** Opens the transaction of a group, as durable as the most careful of them asks. */
  async function beginFor(jobs: readonly Job[]): Promise<void> {
    const mayRelax = jobs.every((job) => job.kind !== 'durable')
    if (!inMemory && mayRelax !== relaxed) {
      database.pragma(`synchronous = ${mayRelax ? 'NORMAL' : 'FULL'}`)
      relaxed = mayRelax
    }
    for (const pause of [...BEGIN_PAUSES_MS, 0]) {
      try {
        begin.run()
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    throw lockedTooLong(database.name)
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const jobs = waiting.splice(0, MAX_GROUP)
      try {
        // What the disk kept after a failed sync nobody knows.
        if (health.broken) throw health.broken
        await beginFor(jobs)
      } catch (cause) {
        const error = asStorageError(cause)
        for (const job of jobs) job.settle({ error })
        continue
      }
      busy = runGroup(jobs)
      await busy
      busy = undefined
      if (waiting.length > 0) await new Promise(setImmediate)
    }
    draining = undefined
  }

  function enqueue<T>(kind: Job['kind'], work: Job['work']): Promise<T> {
    if (health.broken) return Promise.reject(health.broken)
    if (closed) return Promise.reject(new StorageError('misuse', 'the store is closed'))
    if (isInside()) {
      return Promise.reject(new StorageError('misuse', 'a write was opened inside a write; pass the inner one on'))
    }
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T))
      const job: Job = { work, kind, effects: [], settle }
      waiting.push(job)
      // Behind a write that has let go of the event loop there may be a wait without end.
      if (current) rejectAfterTimeout(job)
      draining ??= new Promise(setImmediate).then(drain)
    })
  }

  function rejectAfterTimeout(job: Job): void {
    const timer = setTimeout(() => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((other) => other !== job)
      job.settle({ error: foreignAwait() })
    }, PATIENCE_MS)
    timer.unref()
  }

  return {
    read,
    write: (work, options) => enqueue(options?.relaxed ? 'relaxed' : 'durable', work),
    readBetween: (work) => enqueue('reading', ({ db }) => work(db)),
    async close() {
      closed = true
      await draining
    },
  }
}

/** What follows a commit. An effect that throws must not take the other writes, and all later ones, with it. */
function runEffects({ effects }: Job, outcome: Outcome): Outcome {
  let result = outcome
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      result = { error }
    }
  }
  return result
}

async function waitWithTimeout(busy: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(foreignAwait()), PATIENCE_MS)
    timer.unref()
  })
  try {
    await Promise.race([busy, timeout])
  } finally {
    clearTimeout(timer)
  }
}
