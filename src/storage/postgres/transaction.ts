import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from 'pg'
import { StorageError } from '../errors.ts'
import type { TxDb } from '../handle.ts'
import type { WriteScope } from '../store.ts'
import { createConnection, postgresHandle } from './connection.ts'
import { translate } from './errors.ts'
import type { PostgresPeers } from './peers.ts'

export interface Job {
  work: (scope: WriteScope) => Promise<unknown>
  relaxed: boolean
  effects: (() => void)[]
  settle: (outcome: Outcome) => void
}
export type Outcome = { value: unknown } | { error: unknown }

/** The lock that a transaction of any process holds from before its first read to its commit: it makes all writes one order. */
const WRITE_LOCK = 0x63686174

/** The wait for the lock ends with an error when another process holds it for longer. */
const LOCK_MS = 10_000

interface TransactionOptions {
  name: string
  groupMs: number
  inside: AsyncLocalStorage<Job>
  onCommit: (writes: number) => void
  peers: Pick<PostgresPeers, 'begin' | 'commitNotice'>
  /** Whether this is the first transaction of the connection. */
  reconnected: boolean
}

/** Begins a transaction for which all others wait; when it is relaxed, its commit does not wait for the disk. */
export async function beginTransaction(client: Client, relaxed: boolean): Promise<void> {
  const statements = [
    'begin',
    `set local lock_timeout = ${LOCK_MS}`,
    ...(relaxed ? ['set local synchronous_commit = off'] : []),
    `select pg_advisory_xact_lock(${WRITE_LOCK})`,
  ]
  await client.query(statements.join('; '))
}

/**
 * Runs the jobs one after the other in the transaction that was begun, each in its savepoint, commits and settles them. Returns
 * the jobs it had no time for. Throws when the connection cannot be used any more; all jobs are settled then.
 */
export async function runTogether(client: Client, jobs: readonly Job[], options: TransactionOptions): Promise<Job[]> {
  const { name, groupMs, inside, onCommit, peers, reconnected } = options
  const started = performance.now()
  const transaction = {}
  const alone = jobs.length === 1
  const done: { job: Job; outcome: Outcome }[] = []
  /** Sent without waiting: a failure shows in what comes after it. */
  const send = (text: string) => void client.query(text).catch(() => {})
  try {
    await peers.begin(postgresHandle(createConnection(client, name), () => undefined) as TxDb, reconnected)
    for (const job of jobs) {
      if (done.length > 0 && performance.now() - started > groupMs) break
      if (!alone) send('savepoint job')
      const outcome = await runJob(job)
      if (!alone) send('error' in outcome ? 'rollback to job; release job' : 'release job')
      done.push({ job, outcome })
    }
    if (alone && 'error' in done[0]!.outcome) await client.query('rollback')
    else {
      send(peers.commitNotice)
      const { command } = await client.query('commit')
      // What it answers when a statement has failed and nobody looked.
      if (command === 'ROLLBACK') throw new Error('the transaction was undone: a failed statement was ignored')
      onCommit(done.length)
    }
  } catch (cause) {
    const error = asStorageError(cause, name)
    for (const job of jobs) job.settle({ error })
    throw error
  }
  for (const { job, outcome } of done) job.settle(runEffects(job, outcome))
  return jobs.slice(done.length)

  async function runJob(job: Job): Promise<Outcome> {
    let over = false
    const db = postgresHandle(createConnection(client, name), () => {
      if (over) throw new StorageError('misuse', 'a write handle was used after its write had ended')
      return undefined
    }) as TxDb
    try {
      const value = await inside.run(job, () =>
        job.work({
          db,
          transaction,
          relaxed: job.relaxed,
          afterCommit: (effect) => void job.effects.push(effect),
        }),
      )
      return { value }
    } catch (error) {
      job.effects = []
      return { error: translate(error, name) }
    } finally {
      over = true
    }
  }
}

export function asStorageError(cause: unknown, name: string): StorageError {
  const error = translate(cause, name)
  if (error instanceof StorageError) return error
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StorageError('unavailable', `The database ${name} failed: ${reason}`, { cause })
}

/** Runs the effects after a commit. One that throws must not prevent the others. */
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
