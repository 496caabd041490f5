import type Database from 'better-sqlite3'
import { StorageError } from '../errors.ts'
import type { TxDb } from '../handle.ts'
import { type Outcome, runEffects, type Settle } from '../outcome.ts'
import type { Soon } from '../soon.ts'
import type { WriteScope } from '../store.ts'
import { timers } from '../timers.ts'
import { createConnection, sqliteHandle } from './connection.ts'
import { isBusy } from './errors.ts'
import { lockedTooLong } from './file/failures.ts'
import type { Health } from './health.ts'
import { CHECKPOINT_PAGES, RELAXED_CHECKPOINT_PAGES } from './pragmas.ts'
import type { Turn } from './turn.ts'

export interface Job {
  work: (scope: WriteScope) => Soon<unknown>
  kind: 'durable' | 'relaxed' | 'reading'
  effects: (() => void)[]
  settle: Settle
}

/** Another program, such as a replicator, may lock the file for a moment. */
const BEGIN_PAUSES_MS = [1, 2, 5, 10, 20, 50, 100, 200, 400, 800, 1600, 1800]

export interface Transactions {
  /** Waits until the file is writable, and begins a transaction that is synced if any of the jobs requires it. */
  begin(jobs: readonly Job[]): Promise<void>
  /**
   * Runs the jobs one after another in that transaction, then commits and settles them. If one fails after it has
   * changed something, all run again, each in a savepoint. Returns the jobs it had no time for.
   */
  run(jobs: Job[]): Promise<Job[]>
  /** Runs jobs that only read, between two transactions. Returns the jobs it had no time for. */
  read(jobs: Job[]): Promise<Job[]>
  asStorageError(cause: unknown): StorageError
}

interface TransactionOptions {
  health: Health
  turn: Turn
  groupMs: number
  confirm: () => void
  onCommit: (writes: number) => void
}

interface Done {
  readonly job: Job
  readonly outcome: Outcome
}

export function createTransactions(
  database: Database.Database,
  { health, turn, groupMs, confirm, onCommit }: TransactionOptions,
): Transactions {
  const statements = {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    markGroup: database.prepare('savepoint all_jobs'),
    savepoint: database.prepare('savepoint job'),
    release: database.prepare('release job'),
  }
  /** Whether the current job has changed something. */
  let changed = false
  const connection = createConnection(database, health, true, () => {
    changed = true
  })
  const readConnection = createConnection(database, health, false)
  let relaxed = false
  /** Whether the newest commit skipped waiting for the disk. */
  let wasRelaxed = false
  let checkpointPages = CHECKPOINT_PAGES

  async function runJob(job: Job, transaction: object, needsSavepoint: boolean): Promise<Outcome> {
    if (needsSavepoint) statements.savepoint.run()
    const db = sqliteHandle(job.kind === 'reading' ? readConnection : connection, () => {
      if (!turn.is(job)) throw new StorageError('misuse', 'a write handle was used after its write finished')
      return undefined
    }) as TxDb
    turn.set(job)
    changed = false
    try {
      const working = job.work({
        db,
        transaction,
        relaxed: job.kind === 'relaxed',
        afterCommit: (effect) => void job.effects.push(effect),
      })
      const value = working instanceof Promise ? await working : working
      if (needsSavepoint) statements.release.run()
      return { value }
    } catch (error) {
      job.effects = []
      // SQLite may have rolled back the whole transaction itself, for example if the disk is full.
      if (needsSavepoint && database.inTransaction) database.exec('rollback to job; release job')
      return { error: health.translate(error) }
    } finally {
      turn.set(undefined)
    }
  }

  /**
   * Runs jobs until the time is over. Returns undefined if one fails after a change that has no savepoint. It can only
   * be undone with the changes of all others. A savepoint for each job would take longer than running a few groups again.
   */
  async function runAll(jobs: readonly Job[], careful: boolean): Promise<Done[] | undefined> {
    const started = performance.now()
    const transaction = {}
    const done: Done[] = []
    for (const job of jobs) {
      if (done.length > 0 && performance.now() - started > groupMs) break
      const outcome = await runJob(job, transaction, careful)
      if (!database.inTransaction) {
        throw 'error' in outcome ? outcome.error : new Error('the transaction ended unexpectedly')
      }
      if ('error' in outcome && changed && !careful && jobs.length > 1) return undefined
      done.push({ job, outcome })
    }
    return done
  }

  function undo(): void {
    try {
      if (database.inTransaction) database.exec('rollback')
    } catch (error) {
      health.translate(error)
    }
  }

  /** Sets whether the next commit may skip waiting for the disk. The pragma has no effect inside a transaction. */
  function relax(value: boolean): void {
    if (value === relaxed || database.memory) return
    database.pragma(`synchronous = ${value ? 'NORMAL' : 'FULL'}`)
    relaxed = value
  }

  /**
   * Uploads write much in consecutive relaxed commits, and smaller checkpoints then block the event loop for a shorter
   * time. Single relaxed commits change nothing, because each would cause a checkpoint.
   */
  function checkpointAfter(pages: number): void {
    if (pages === checkpointPages || database.memory) return
    database.pragma(`wal_autocheckpoint = ${pages}`)
    checkpointPages = pages
  }

  function asStorageError(cause: unknown): StorageError {
    const error = health.translate(cause)
    if (error instanceof StorageError) return error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new StorageError('broken', `The database failed: ${reason}`, { cause })
  }

  return {
    asStorageError,
    async begin(jobs) {
      const mayRelax = jobs.every((job) => job.kind === 'relaxed')
      relax(mayRelax)
      checkpointAfter(mayRelax && wasRelaxed ? RELAXED_CHECKPOINT_PAGES : CHECKPOINT_PAGES)
      wasRelaxed = mayRelax
      for (const pause of [...BEGIN_PAUSES_MS, 0]) {
        try {
          statements.begin.run()
          return
        } catch (error) {
          if (!isBusy(error)) throw error
          if (pause > 0) await new Promise((resolve) => timers.setTimeout(resolve, pause))
        }
      }
      throw lockedTooLong(database.name)
    },
    async run(jobs) {
      const alone = jobs.length === 1
      let done: Done[] = []
      turn.begin('writes')
      try {
        if (!alone) statements.markGroup.run()
        const optimistic = await runAll(jobs, false)
        if (optimistic) done = optimistic
        else {
          database.exec('rollback to all_jobs')
          for (const job of jobs) job.effects = []
          done = (await runAll(jobs, true))!
        }
        if (alone && 'error' in done[0]!.outcome) database.exec('rollback')
        else if (health.broken) throw health.broken
        else {
          statements.commit.run()
          confirm()
          onCommit(done.length)
        }
      } catch (cause) {
        const error = asStorageError(cause)
        undo()
        for (const job of jobs) job.settle({ error })
        return []
      } finally {
        turn.end()
        // Between groups, the connection has its initial settings.
        if (!database.inTransaction) relax(false)
      }
      for (const { job, outcome } of done) job.settle(runEffects(job.effects, outcome))
      return jobs.slice(done.length)
    },
    async read(jobs) {
      const started = performance.now()
      const done: Done[] = []
      turn.begin('reads')
      for (const job of jobs) {
        if (done.length > 0 && performance.now() - started > groupMs) break
        done.push({ job, outcome: await runJob(job, {}, false) })
      }
      turn.end()
      // Not earlier: the code after an answered write continues immediately, and would count as inside the next job.
      for (const { job, outcome } of done) job.settle(outcome)
      return jobs.slice(done.length)
    },
  }
}
