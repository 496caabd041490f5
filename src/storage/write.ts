import type Database from 'better-sqlite3'
import { createConnection, type Db, kyselyOn, type TxDb } from './connection.ts'
import { isDiskFailure, isFull, StorageError } from './errors.ts'

/** How many writes may share one commit: bounds what the last of them waits for. */
const MAX_GROUP = 256
/** A write that awaits anything but the database holds up all others; whoever waits behind it gives up after this. */
const PATIENCE_MS = 10_000

export interface WriteScope {
  db: TxDb
  /** Runs after the commit is on disk, before the caller is answered; forgotten if the write fails. */
  afterCommit(effect: () => void): void
}

interface Job {
  work: (scope: WriteScope) => Promise<unknown>
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
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const savepoint = database.prepare('savepoint job')
  const release = database.prepare('release job')
  const connection = createConnection(database, true)
  let waiting: Job[] = []
  let busy: Promise<void> | undefined
  let draining: Promise<void> | undefined
  let current: Job | undefined
  let closed = false
  /** The database is closed, for reads too. */
  let ended = false
  let broken: StorageError | undefined
  /** Whether the event loop has turned since the running group began. */
  let turned = false

  /**
   * A write that awaits only the database takes no turn of the event loop, so until the loop turns nobody else can be
   * running: whoever comes by another way is inside the write, and waiting for it would be waiting for itself.
   */
  const isInside = () => current !== undefined && !turned

  const read = kyselyOn(createConnection(database, false), () => {
    if (ended) throw storeClosed()
    // Asked first: a write begins before `busy` is known.
    if (isInside()) {
      throw new StorageError('misuse', 'the read handle was used inside a write; use the handle of the write')
    }
    return busy && patiently(busy)
  })

  async function runJob(job: Job, alone: boolean): Promise<Outcome> {
    if (!alone) savepoint.run()
    const db = kyselyOn(connection, () => {
      if (current !== job) throw new StorageError('misuse', 'a write handle was used after its write had ended')
      return undefined
    }) as TxDb
    current = job
    try {
      const value = await job.work({ db, afterCommit: (effect) => void job.effects.push(effect) })
      if (!alone) release.run()
      return { value }
    } catch (error) {
      job.effects = []
      // SQLite may have ended the whole transaction itself, on a full disk for one.
      if (!alone && database.inTransaction) database.exec('rollback to job; release job')
      return { error: isFull(error) || isDiskFailure(error) ? failure(error) : error }
    } finally {
      current = undefined
    }
  }

  async function runGroup(jobs: Job[]): Promise<void> {
    const outcomes: Outcome[] = []
    const alone = jobs.length === 1
    turned = false
    const turn = setImmediate(() => {
      turned = true
    })
    try {
      begin.run()
      for (const job of jobs) {
        const outcome = await runJob(job, alone)
        outcomes.push(outcome)
        if (!database.inTransaction) {
          throw 'error' in outcome ? outcome.error : new Error('the transaction ended by itself')
        }
      }
      if (alone && 'error' in outcomes[0]!) database.exec('rollback')
      else if (broken) throw broken
      else commit.run()
    } catch (cause) {
      const error = failure(cause)
      undo()
      for (const job of jobs) job.settle({ error })
      return
    } finally {
      clearImmediate(turn)
    }
    for (const [i, job] of jobs.entries()) job.settle(afterwards(job, outcomes[i]!))
  }

  function undo(): void {
    try {
      if (database.inTransaction) database.exec('rollback')
    } catch (error) {
      failure(error)
    }
  }

  function failure(cause: unknown): StorageError {
    if (cause instanceof StorageError) return cause
    if (isFull(cause)) return new StorageError('full', 'The disk is full; nothing was stored.', { cause })
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new StorageError('broken', `The database failed: ${reason}`, { cause })
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
      if (broken) {
        // What the disk kept after a failed sync nobody knows: nothing more may be built on it.
        for (const job of jobs) job.settle({ error: broken })
        continue
      }
      busy = runGroup(jobs)
      await busy
      busy = undefined
      if (waiting.length > 0) await new Promise(setImmediate)
    }
    draining = undefined
  }

  return {
    read,
    write<T>(work: (scope: WriteScope) => Promise<T>): Promise<T> {
      if (broken) return Promise.reject(broken)
      if (closed) return Promise.reject(storeClosed())
      if (isInside()) {
        return Promise.reject(new StorageError('misuse', 'a write was opened inside a write; pass the inner one on'))
      }
      const result = new Promise<T>((resolve, reject) => {
        const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T))
        const job: Job = { work, effects: [], settle }
        waiting.push(job)
        // Behind a write that has let go of the event loop there may be a wait without end.
        if (current) giveUpLater(job)
        draining ??= new Promise(setImmediate).then(drain)
      })
      return result
    },
    async close() {
      closed = true
      await draining
      ended = true
    },
  }

  function giveUpLater(job: Job): void {
    const timer = setTimeout(() => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((other) => other !== job)
      job.settle({ error: tooLong() })
    }, PATIENCE_MS)
    timer.unref()
  }
}

/** What follows a commit. An effect that throws must not take the other writes, and all later ones, with it. */
function afterwards({ effects }: Job, outcome: Outcome): Outcome {
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

const storeClosed = () => new StorageError('closed', 'the store is closed')

const tooLong = () =>
  new StorageError(
    'misuse',
    'a write holds the database and awaits something else; only the database may be awaited in one',
  )

async function patiently(busy: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const giveUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), PATIENCE_MS)
    timer.unref()
  })
  try {
    await Promise.race([busy, giveUp])
  } finally {
    clearTimeout(timer)
  }
}
