import { StorageError, storeClosed } from '../errors.ts'
import type { Connection, Db } from '../handle.ts'
import { sqliteHandle } from './connection.ts'
import type { Health } from './health.ts'
import { type SnapshotThread, startThread } from './snapshot-thread.ts'

/** Concurrent snapshots. Each has its own connection and cache, and further ones wait. */
const MAX_OPEN = 4

export interface Snapshots {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Copies the database into a new file, which is synced. */
  backup(target: string): Promise<void>
  close(): Promise<void>
}

/** Creates snapshots of a file, read in a thread that starts with the first one. */
export function createSnapshots(file: string, health: Health): Snapshots {
  const free = Array.from({ length: MAX_OPEN }, (_, slot) => slot)
  const waiting: ((slot: number) => void)[] = []
  let thread: SnapshotThread | undefined
  let closed = false

  function takeThread(): SnapshotThread {
    if (closed) throw storeClosed()
    if (!thread || thread.ended) thread = startThread(file)
    return thread
  }

  async function runIn<T>(slot: number, work: (thread: SnapshotThread) => Promise<T>): Promise<T> {
    const used = takeThread()
    used.keepAlive(true)
    try {
      await used.ask({ slot, what: 'begin' })
      return await work(used)
    } finally {
      // Not awaited, because the thread handles it before the next request for this slot.
      if (!used.ended) used.ask({ slot, what: 'end' }).catch(() => {})
    }
  }

  async function inSlot<T>(work: (thread: SnapshotThread, slot: number) => Promise<T>): Promise<T> {
    const slot = free.pop() ?? (await new Promise<number>((resolve) => waiting.push(resolve)))
    try {
      return await runIn(slot, (used) => work(used, slot))
    } finally {
      const next = waiting.shift()
      if (next) next(slot)
      else free.push(slot)
      if (free.length === MAX_OPEN && thread && !thread.ended) thread.keepAlive(false)
    }
  }

  return {
    async run(work) {
      let over = false
      try {
        return await inSlot((used, slot) => {
          const assertOpen = () => {
            if (over) throw new StorageError('misuse', 'a snapshot was used after it was closed')
            return undefined
          }
          return work(sqliteHandle(remoteConnection(used, slot, health), assertOpen))
        })
      } catch (error) {
        throw health.translate(error)
      } finally {
        over = true
      }
    },
    async backup(target) {
      await inSlot((used, slot) => used.ask({ slot, what: 'backup', target }))
    },
    async close() {
      closed = true
      if (thread && !thread.ended) await thread.close()
    },
  }
}

/** Runs queries of a snapshot. The thread returns the rows page by page. */
function remoteConnection(thread: SnapshotThread, slot: number, health: Health): Connection {
  async function rows(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const found: unknown[] = []
    try {
      let reply = await thread.ask({ slot, what: 'read', sql, parameters })
      for (;;) {
        const { columns = [], rows: page = [] } = reply
        for (const values of page) found.push(toObject(columns, values))
        if (!reply.more) return found
        reply = await thread.ask({ slot, what: 'more' })
      }
    } catch (error) {
      throw health.translate(error)
    }
  }
  return { rows, run: async ({ sql, parameters }) => ({ rows: await rows(sql, parameters) }) }
}

function toObject(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]
  return row
}
