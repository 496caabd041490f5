import type { Socket } from 'node:net'
import type { Client, ClientBase } from 'pg'
import { timers } from '../timers.ts'

/** How many times within the time of silence connections are checked. */
const LOOKS = 4

interface Line {
  readonly client: ClientBase
  /** The process id on the server. */
  readonly pid: number
  /** Bytes written when all responses had arrived. */
  answered: number
  /** Bytes read at the last check, and when they arrived, as far as checks can tell. */
  read: number
  receivedAt: number
  /** Since when it waits for a response and has received nothing. */
  silentSince: number
  /** The server once reported no work for it. A response may have been on its way. */
  doubted: boolean
  /** Whether it is idle in a pool. */
  resting: boolean
}

/**
 * The connections of this process. If packets vanish, a connection waits until the network gives up, which takes a
 * quarter of an hour. A limit for statements can't tell which connection is dead, because a search or a migration may
 * take minutes. So another connection asks the server whether it is working for the silent ones.
 */
export interface Lines {
  /** Watches a new connection. */
  watch(client: ClientBase): Promise<void>
  /** Records that it returned to a pool, or was taken out. */
  rests(client: ClientBase, resting: boolean): void
}

/** @param connect - must fail within `silentMs` without a response, and so must its queries */
export function createLines(connect: () => Promise<Client>, silentMs: number): Lines {
  const lines = new Map<ClientBase, Line>()
  let timer: NodeJS.Timeout | undefined
  let examining = false

  function look(): void {
    const now = performance.now()
    for (const line of lines.values()) {
      const { bytesRead, bytesWritten, destroyed } = streamOf(line.client)
      if (destroyed) lines.delete(line.client)
      if (bytesRead !== line.read) line.receivedAt = now
      else if (bytesWritten !== line.answered) continue
      line.read = bytesRead
      line.silentSince = now
      line.doubted = false
    }
    if (lines.size === 0) {
      timers.clearInterval(timer)
      timer = undefined
    }
    const silent = [...lines.values()].filter((line) => now - line.silentSince >= silentMs)
    if (silent.length === 0 || examining) return
    examining = true
    examine(silent)
      .catch(() => {})
      .finally(() => {
        examining = false
      })
  }

  async function examine(silent: readonly Line[]): Promise<void> {
    const pids = silent.map(({ pid }) => pid)
    const server = await connect().catch((error) => {
      if (!isAnswer(error)) return undefined
      // The server responds, but accepts no more connections.
      throw error
    })
    try {
      const working = server && (await workingOf(server, pids))
      // A connection that received something since then is no longer silent.
      const dead = silent.filter((line) => streamOf(line.client).bytesRead === line.read && isDead(line, working))
      if (dead.length === 0) return
      cut(dead)
      // Releases their locks now, before the server notices.
      await server?.query('select pg_terminate_backend(pid) from unnest($1::int[]) as dead (pid)', [
        dead.map(({ pid }) => pid),
      ])
    } finally {
      server?.end().catch(() => {})
    }
  }

  /** @param working - the processes of the server; undefined if it didn't respond */
  function isDead(line: Line, working: ReadonlyMap<number, boolean> | undefined): boolean {
    const works = working?.get(line.pid)
    if (works) return false
    const twice = line.doubted
    line.doubted = true
    return twice || works === undefined
  }

  /**
   * Also closes idle connections of the pool that received nothing since. Otherwise the next requests would fail one
   * by one.
   */
  function cut(dead: readonly Line[]): void {
    const since = Math.min(...dead.map((line) => line.silentSince))
    const resting = [...lines.values()].filter((line) => line.resting && line.receivedAt <= since)
    for (const { client } of new Set([...dead, ...resting])) {
      streamOf(client).destroy(Object.assign(new Error('no longer responding'), { code: 'ETIMEDOUT' }))
    }
  }

  return {
    async watch(client) {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      const { bytesRead, bytesWritten } = streamOf(client)
      const line: Line = {
        client,
        pid: Number(rows[0].pid),
        answered: bytesWritten,
        read: bytesRead,
        receivedAt: performance.now(),
        silentSince: performance.now(),
        doubted: false,
        resting: false,
      }
      client.on('drain', () => {
        line.answered = streamOf(client).bytesWritten
      })
      lines.set(client, line)
      timer ??= timers.setInterval(look, silentMs / LOOKS).unref()
    },
    rests(client, resting) {
      const line = lines.get(client)
      if (line) line.resting = resting
    },
  }
}

/**
 * Returns whether the server is working for these processes. Unknown processes are missing. Undefined if it doesn't
 * respond.
 */
async function workingOf(server: Client, pids: readonly number[]): Promise<ReadonlyMap<number, boolean> | undefined> {
  try {
    // Waiting for the client isn't work. If the server doesn't track activity, everything counts as work.
    const { rows } = await server.query<{ pid: number; works: number }>(
      `select pid, (state not like 'idle%' and wait_event_type is distinct from 'Client') is not false as works
       from pg_stat_activity where pid = any ($1::int[])`,
      [pids],
    )
    return new Map(rows.map(({ pid, works }) => [pid, works === 1]))
  } catch (error) {
    if (isAnswer(error)) throw error
    return undefined
  }
}

const isAnswer = (error: unknown): boolean => error instanceof Error && 'severity' in error

/**
 * @NOTE the driver's internals: it has no other way to give up a connection, or to send several statements together
 */
const streamOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/**
 * Runs `send` and passes its statements to the operating system in one call, which is cheaper than one call each.
 */
export function sentTogether<T>(client: ClientBase, send: () => T): T {
  const stream = streamOf(client)
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
