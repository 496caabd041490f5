import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from 'pg'
import { StorageError, storeClosed } from '../errors.ts'
import type { Db } from '../handle.ts'
import type { OpenOptions } from '../open-options.ts'
import { promised } from '../outcome.ts'
import type { Soon } from '../soon.ts'
import type { Store, WriteOptions, WriteScope } from '../store.ts'
import { nextTurn, timers } from '../timers.ts'
import { type Begun, beginTransaction } from './begin.ts'
import type { Connector } from './client.ts'
import { isGone, waitedTooLong } from './errors.ts'
import type { PostgresPeers } from './peers.ts'
import { pastStalledHolder } from './stalled-holder.ts'
import { asStorageError, type Job, runTogether } from './transaction.ts'

/** How many writes may share one commit, and for how many milliseconds. */
const MAX_GROUP = 256
const DEFAULT_GROUP_MS = 20
/**
 * How many transactions may follow one another before the lock is free for other processes, and this process learns
 * what they committed.
 */
const MAX_CHAIN = 4
/**
 * Writes that wait longer for another transaction fail with the information that nothing was stored, so they may be
 * repeated.
 */
const PATIENCE_MS = 10_000

export interface Writer {
  write<T>(work: (scope: WriteScope) => Soon<T>, options?: WriteOptions): Promise<T>
  /** Whether the calling code is inside a write. */
  readonly isInside: boolean
  /** Whether writes wait for a transaction, which begins in a moment. */
  readonly hasWaiting: boolean
  /** The process id on the server of the current connection. */
  readonly processId: number | undefined
  observeCommits: Store['observeCommits']
  /** Resolves when all accepted writes are settled. Later ones are rejected. */
  close(): Promise<void>
}

/**
 * Creates the only write path of this process. Writes requested during a transaction share the next one. A lost
 * connection fails the current writes, and the next ones open another.
 */
export function createWriter(
  connector: Connector,
  readers: Db,
  peers: () => PostgresPeers,
  { groupMs = DEFAULT_GROUP_MS, patienceMs = PATIENCE_MS }: Pick<OpenOptions, 'groupMs' | 'patienceMs'>,
): Writer {
  const { name } = connector
  const inside = new AsyncLocalStorage<Job>()
  const observers: ((writes: number) => void)[] = []
  const options = {
    name,
    groupMs,
    inside,
    onCommit: (writes: number) => {
      // Not earlier, because what the first transaction does about a new connection may be undone with it.
      reconnected = false
      for (const observe of observers) observe(writes)
    },
  }
  const pastStalled = <T>(response: Promise<T>) => pastStalledHolder(readers, response)
  let waiting: Job[] = []
  let client: Promise<Client> | undefined
  let processId: number | undefined
  let reconnected = true
  let draining: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await commitTogether(take())
      await nextTurn()
    }
    draining = undefined
  }

  /** Takes the jobs of the next transaction. */
  function take(): Job[] {
    const { careful } = waiting[0]!
    const kind = kindBeside(waiting[0]!)
    const others = waiting.findIndex((job) => job.careful !== careful || (kind && !job[kind]))
    return waiting.splice(0, Math.min(MAX_GROUP, others === -1 ? waiting.length : others))
  }

  /** Returns as what a job may run beside other processes. If they don't write, overlapping transactions are faster. */
  function kindBeside({ appends, indexes }: Job): 'appends' | 'indexes' | undefined {
    if (!peers().areWriting) return undefined
    return appends ? 'appends' : indexes ? 'indexes' : undefined
  }

  /** Commits the jobs, and those that wait behind them while the database commits. */
  async function commitTogether(first: readonly Job[]): Promise<void> {
    let jobs: readonly Job[] = first
    let stopWatching = failWaitingLater()
    try {
      await peers().during(async () => {
        let begun = await begin(jobs)
        let before: Promise<readonly Job[]> = Promise.resolve([])
        const transaction = {}
        try {
          for (let place = 1; ; place++) {
            const { left, next } = await runTogether(begun, jobs, {
              ...options,
              ...{ peers: peers(), transaction, before, pastStalled },
              following: (left) => (place < MAX_CHAIN ? following(left) : undefined),
            })
            waiting = [...left, ...waiting]
            if (!next) break
            begun = next.begun
            jobs = next.jobs
            before = next.before
            stopWatching()
            stopWatching = failWaitingLater()
          }
        } finally {
          // What the transaction before did reaches this process's memory before anything else.
          await before.catch(() => {})
        }
      })
    } catch (cause) {
      const error = asStorageError(cause, name)
      for (const job of jobs) job.settle({ error })
      disconnect()
    } finally {
      stopWatching()
    }
  }

  /** Returns the jobs of a transaction that may begin during the commit of the current one. */
  function following(left: readonly Job[]) {
    const first = left[0] ?? waiting[0]
    if (reconnected || peers().isAwaited || first?.careful !== false || kindBeside(first)) return undefined
    waiting = [...left, ...waiting]
    const jobs = take()
    return { jobs, relaxed: jobs.every((job) => job.relaxed), patienceMs }
  }

  /** Begins a transaction, on a new connection if the old one was lost while idle. */
  async function begin(jobs: readonly Job[]): Promise<Begun> {
    const before = client
    if (!client) {
      reconnected = true
      client = connector.connect()
    }
    try {
      const connected = await client
      processId = (connected as Client & { processID?: number }).processID
      const relaxed = !reconnected && jobs.every((job) => job.relaxed)
      const kind = reconnected ? undefined : kindBeside(jobs[0]!)
      const beside = kind && jobs.every((job) => job[kind]) ? kind : undefined
      const options = { name, peers: peers(), relaxed, reconnected, patienceMs, ...besideOthers(beside, jobs.length) }
      return await pastStalled(beginTransaction(connected, options))
    } catch (error) {
      disconnect()
      if (!before || !isGone(error)) throw error
      return begin(jobs)
    }
  }

  function disconnect(): void {
    const lost = client
    client = undefined
    lost?.then((each) => each.end()).catch(() => {})
  }

  function failWaitingLater(): () => void {
    const timer = timers.setTimeout(() => {
      for (const job of waiting.splice(0)) job.settle({ error: waitedTooLong(name) })
    }, patienceMs)
    timer.unref()
    return () => timers.clearTimeout(timer)
  }

  return {
    get isInside() {
      return inside.getStore() !== undefined
    },
    get hasWaiting() {
      return waiting.length > 0
    },
    get processId() {
      return processId
    },
    observeCommits: (observe) => void observers.push(observe),
    write<T>(
      work: (scope: WriteScope) => Soon<T>,
      { relaxed = false, appends = false, indexes = false }: WriteOptions = {},
    ) {
      if (closed) return Promise.reject(storeClosed())
      if (inside.getStore()) {
        return Promise.reject(
          new StorageError(
            'misuse',
            'a write was opened inside another write; pass the existing transaction on instead',
          ),
        )
      }
      return promised<T>((settle) => {
        waiting.push({ work, relaxed, appends: appends && !relaxed, indexes, careful: false, effects: [], settle })
        draining ??= nextTurn().then(drain)
      })
    },
    async close() {
      closed = true
      await draining
      await client?.then((each) => each.end()).catch(() => {})
    },
  }
}

const besideOthers = (kind: 'appends' | 'indexes' | undefined, jobs: number) =>
  kind === 'appends' ? { appending: jobs } : { indexing: kind === 'indexes' }
