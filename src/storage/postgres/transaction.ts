import type { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryResult } from 'pg'
import { codeOf, MustRunAlone, StorageError } from '../errors.ts'
import type { TxDb } from '../handle.ts'
import { type Outcome, runEffects, type Settle } from '../outcome.ts'
import type { Soon } from '../soon.ts'
import type { WriteScope } from '../store.ts'
import { type Appends, collectAppends, mayRunBeside, mayRunIndexing, type Reserved } from './appending.ts'
import { type Begun, beginning, WRITE_LOCK } from './begin.ts'
import { type Course, createConnection, nameOf, postgresHandle } from './connection.ts'
import { translate } from './errors.ts'
import { collectInserts } from './inserts.ts'
import { sentTogether } from './lines.ts'
import { createMessageIds } from './message-ids.ts'
import type { PostgresPeers } from './peers.ts'

export interface Job {
  work: (scope: WriteScope) => Soon<unknown>
  relaxed: boolean
  /** Whether it may append while other processes do, or change the search index. */
  appends: boolean
  indexes: boolean
  /** Whether it runs in a savepoint and awaits each statement, because it had to be undone before. */
  careful: boolean
  effects: (() => void)[]
  settle: Settle
}

/** SQLSTATE: a statement before this one failed. */
const IN_FAILED_TRANSACTION = '25P02'

interface TransactionOptions {
  name: string
  groupMs: number
  inside: AsyncLocalStorage<Job>
  onCommit: (writes: number) => void
  peers: Pick<PostgresPeers, 'commitNotice' | 'afterAppending'>
  /** Waits for a response, and ends stalled processes that hold it up. */
  pastStalled: <T>(waiting: Promise<T>) => Promise<T>
  /** The same object for transactions that follow one another without another process between them. */
  transaction: object
  /** Resolves when it is known whether the transaction before is committed, with the jobs that it undid. */
  before: Promise<readonly Job[]>
  /**
   * Returns the jobs of the next transaction, if it is to begin during the commit. It takes over the jobs that remain.
   */
  following(left: readonly Job[]): Following | undefined
}

/** The jobs of a transaction that begins during the commit of the one before. */
interface Following {
  readonly jobs: readonly Job[]
  readonly relaxed: boolean
  readonly patienceMs: number
}

interface Ended {
  /** The jobs that remain. */
  readonly left: readonly Job[]
  /** The next transaction, which has begun. */
  readonly next?: { readonly begun: Begun; readonly jobs: readonly Job[]; readonly before: Promise<readonly Job[]> }
}

/**
 * Keeps the lock from the end of one transaction to the beginning of the next, so that no other process comes between
 * them. Until then, the session has it.
 */
const KEEP_LOCK = `select pg_advisory_lock(${WRITE_LOCK})`
const LET_GO = `select pg_advisory_unlock(${WRITE_LOCK})`

/**
 * Runs the jobs one after another in the transaction, commits, and settles them. Either all jobs are careful or none
 * is. Jobs that aren't careful don't await their changes, and if one with changes fails, all are undone and become
 * careful.
 *
 * The next transaction may begin during the commit. It is undone if this one is, and commits only after it.
 *
 * Beside appending transactions of other processes, writes that don't only append are undone and run again alone.
 *
 * @throws when the connection can no longer be used; all jobs are settled then
 */
export async function runTogether(
  { client, newest, reserved, indexing }: Begun,
  jobs: readonly Job[],
  options: TransactionOptions,
): Promise<Ended> {
  const { name, groupMs, inside, onCommit, peers, pastStalled, transaction, before } = options
  const started = performance.now()
  const alone = jobs.length === 1
  const { careful } = jobs[0]!
  const ids = createMessageIds(newest, reserved?.messages)
  const done: { job: Job; outcome: Outcome }[] = []
  /** Sent without waiting: a failure shows in the following statements. */
  const send = (text: string) => void client.query(text).catch(() => {})
  const appends = reserved && collectAppends(client)
  const inserts =
    appends ??
    collectInserts(
      (changes) =>
        sentTogether(client, () => {
          for (const { text, values } of changes) client.query({ text, values, name: nameOf(text) }).catch(() => {})
        }),
      indexing ? mayRunIndexing : undefined,
    )
  /** What nothing settles if this fails before it has begun. */
  let next: Following | undefined
  try {
    if (reserved && appends) return await append(reserved, appends)
    for (const job of jobs) {
      if (done.length > 0 && performance.now() - started > groupMs) break
      if (careful) send('savepoint job')
      const { outcome, touched, refused } = await runJob(job)
      if (refused) return await undo()
      const failed = 'error' in outcome
      if (careful) send(failed ? 'rollback to job; release job' : 'release job')
      else if (failed && touched && (!alone || codeOf(outcome.error) === IN_FAILED_TRANSACTION)) return await undo()
      done.push({ job, outcome })
    }
    // It has read what the transaction before did, so it can't stay without it. It isn't even sent to the disk.
    if ((await before).length > 0) return await undo()
    const left = jobs.slice(done.length)
    if (alone && 'error' in done[0]!.outcome) await client.query('rollback')
    else {
      next = careful || indexing ? undefined : options.following(left)
      const committed = sentTogether(client, () => {
        inserts.flush()
        if (ids.advance) send(ids.advance)
        send(peers.commitNotice)
        if (next) send(KEEP_LOCK)
        const answer = client.query('commit')
        if (next) send(`${beginning(next)}; ${LET_GO}`)
        return answer
      })
      const settled = settleAfter(committed)
      if (!next) return { left: [...(await settled), ...left] }
      // The next transaction reports a failure.
      settled.catch(() => {})
      return { left: [], next: { begun: { client, newest: ids.newest }, jobs: next.jobs, before: settled } }
    }
    settleDone()
    return { left }
  } catch (cause) {
    // The jobs that remain wait again once the next transaction is chosen.
    throw failAll(cause, next ? [...done.map(({ job }) => job), ...next.jobs] : jobs)
  }

  /** Runs the jobs beside other processes, and commits after those with lower ids. */
  async function append({ events }: Reserved, appends: Appends): Promise<Ended> {
    const alone: Job[] = []
    for (const job of jobs) {
      if (done.length > 0 && performance.now() - started > groupMs) break
      const mark = appends.mark()
      const { outcome, refused } = await runJob(job)
      if (refused || 'error' in outcome) appends.undoTo(mark)
      if (!refused) done.push({ job, outcome })
      else alone.push(Object.assign(job, { appends: false, effects: [] }))
    }
    const left = [...alone, ...jobs.slice(done.length + alone.length)]
    const db = postgresHandle(createConnection(client, name), () => undefined)
    if (appends.isEmpty) {
      // Others may have committed something that no transaction of this process follows.
      await Promise.all(sentTogether(client, () => [client.query('rollback'), peers.afterAppending(db, events)]))
      settleDone()
      return { left }
    }
    const [committed, others] = sentTogether(client, () => {
      appends.sendInTurn(events.upTo)
      send(peers.commitNotice)
      return [client.query('commit'), peers.afterAppending(db, events)] as const
    })
    const read = others.catch(() => {})
    const undone = await settleAfter(pastStalled(committed), others)
    await read
    return { left: [...undone, ...left] }
  }

  /** Returns the jobs that are undone. */
  async function settleAfter(committed: Promise<QueryResult>, news?: Promise<void>): Promise<readonly Job[]> {
    try {
      const { command } = await committed
      // PostgreSQL's response to a commit after a failed statement that wasn't awaited.
      if (command === 'ROLLBACK') {
        if (careful) throw new Error('the transaction was rolled back because a failed statement was ignored')
        return again(done.map(({ job }) => job))
      }
      onCommit(done.length)
      // What others appended before comes before the effects of these jobs.
      await news
    } catch (cause) {
      throw failAll(
        cause,
        done.map(({ job }) => job),
      )
    }
    settleDone()
    return []
  }

  function settleDone(): void {
    for (const { job, outcome } of done) job.settle(runEffects(job.effects, outcome))
  }

  function failAll(cause: unknown, all: readonly Job[]): StorageError {
    const error = asStorageError(cause, name)
    for (const job of all) job.settle({ error })
    return error
  }

  async function undo(): Promise<Ended> {
    const undone = await before
    await client.query('rollback')
    if (undone.length === 0) return { left: again(jobs) }
    for (const job of jobs) job.effects = []
    return { left: [...undone, ...jobs] }
  }

  function again(all: readonly Job[]): readonly Job[] {
    for (const job of all) {
      job.effects = []
      job.careful = true
      job.appends = false
      job.indexes = false
    }
    return all
  }

  async function runJob(job: Job): Promise<{ outcome: Outcome; touched: boolean; refused: boolean }> {
    let over = false
    const course: Course = {
      ahead: !careful,
      touched: false,
      refused: false,
      numbered: ids.numbered,
      reserve: ids.reserve,
      inserts,
      mayRun: reserved ? mayRunBeside : indexing ? mayRunIndexing : undefined,
    }
    const db = postgresHandle(createConnection(client, name, course), () => {
      if (over) throw new StorageError('misuse', 'a write handle was used after its write finished')
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
      return { outcome: { value }, touched: course.touched, refused: course.refused }
    } catch (error) {
      job.effects = []
      const refused = course.refused || error instanceof MustRunAlone
      return { outcome: { error: translate(error, name) }, touched: course.touched, refused }
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
