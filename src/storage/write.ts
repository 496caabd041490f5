import { AsyncLocalStorage } from 'node:async_hooks'
import type Database from 'better-sqlite3'
import { type Db, kyselyOn, type TxDb } from './connection.ts'
import { isDiskFailure, isFull, StorageError } from './errors.ts'

/** How many writes may share one commit: bounds what the last of them waits for. */
const MAX_GROUP = 256

export interface WriteScope {
  db: TxDb
  /** Runs after the commit is on disk, before the caller is answered; forgotten if the write fails. */
  afterCommit(effect: () => void): void
}

interface Job {
  work: (scope: WriteScope) => Promise<unknown>
  open: boolean
  effects: (() => void)[]
  settle: (outcome: Outcome) => void
}
type Outcome = { value: unknown } | { error: unknown }

export interface Writer {
  read: Db
  write<T>(work: (scope: WriteScope) => Promise<T>): Promise<T>
  /** Resolves when all accepted writes are settled; later ones are refused. */
  close(): Promise<void>
}

/**
 * The one write path. Writes asked for in one turn of the event loop run in one transaction, each in its savepoint,
 * and are answered together after the commit: durability at a fraction of the syncs.
 */
export function createWriter(database: Database.Database, onBroken: (error: StorageError) => void = () => {}): Writer {
  const scope = new AsyncLocalStorage<Job>()
  let waiting: Job[] = []
  let busy: Promise<void> | undefined
  let closed = false
  let broken: StorageError | undefined

  const inside = (): Job | undefined => {
    const job = scope.getStore()
    return job?.open ? job : undefined
  }
  const read = kyselyOn(database, false, () => {
    if (!busy) return
    if (inside()) throw new StorageError('misuse', 'the read handle was used inside a write; use the handle of the write')
    return busy
  })
  const db = kyselyOn(database, true, () => {
    if (!inside()) throw new StorageError('misuse', 'a write handle was used after its write had ended')
    return undefined
  }) as TxDb

  async function runJob(job: Job, savepoint: boolean): Promise<Outcome> {
    if (savepoint) database.exec('savepoint job')
    job.open = true
    try {
      const value = await scope.run(job, () =>
        job.work({ db, afterCommit: (effect) => void job.effects.push(effect) }),
      )
      if (savepoint) database.exec('release job')
      return { value }
    } catch (error) {
      job.effects = []
      // SQLite may have ended the whole transaction itself, on a full disk for one.
      if (savepoint && database.inTransaction) database.exec('rollback to job; release job')
      return { error }
    } finally {
      job.open = false
    }
  }

  async function runGroup(jobs: Job[]): Promise<void> {
    const outcomes: Outcome[] = []
    try {
      database.exec('begin immediate')
      for (const job of jobs) {
        outcomes.push(await runJob(job, jobs.length > 1))
        if (!database.inTransaction) throw errorOf(outcomes.at(-1)) ?? new Error('the transaction ended by itself')
      }
      if (jobs.length === 1 && 'error' in outcomes[0]!) database.exec('rollback')
      else database.exec('commit')
    } catch (cause) {
      const error = failure(cause)
      if (database.inTransaction) database.exec('rollback')
      for (const job of jobs) {
        job.effects = []
        job.settle({ error })
      }
      return
    }
    jobs.forEach((job, i) => {
      for (const effect of job.effects) effect()
      job.settle(outcomes[i]!)
    })
  }

  function failure(cause: unknown): StorageError {
    if (isFull(cause)) return new StorageError('full', 'The disk is full; nothing was stored.', { cause })
    const error = new StorageError('broken', `The database failed: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
    if (isDiskFailure(cause)) {
      broken = error
      onBroken(error)
    }
    return error
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const jobs = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      busy = runGroup(jobs)
      await busy
      busy = undefined
      if (waiting.length > 0) await new Promise(setImmediate)
    }
    draining = undefined
  }
  let draining: Promise<void> | undefined

  return {
    read,
    write<T>(work: (scope: WriteScope) => Promise<T>): Promise<T> {
      if (broken) return Promise.reject(broken)
      if (closed) return Promise.reject(new StorageError('misuse', 'the store is closed'))
      if (inside()) {
        return Promise.reject(new StorageError('misuse', 'a write was opened inside a write; pass the inner one on'))
      }
      return new Promise<T>((resolve, reject) => {
        const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T))
        waiting.push({ work, open: false, effects: [], settle })
        draining ??= new Promise(setImmediate).then(drain)
      })
    },
    async close() {
      closed = true
      await draining
    },
  }
}

const errorOf = (outcome: Outcome | undefined): unknown => (outcome && 'error' in outcome ? outcome.error : undefined)
