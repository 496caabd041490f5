import type { Socket } from 'node:net'
import type { Client, ClientBase } from 'pg'
import { timers } from '../timers.ts'

/** How many times in the time of silence connections are looked at. */
const LOOKS = 4

interface Line {
  readonly client: ClientBase
  /** The server's process. */
  readonly pid: number
  /** Bytes written when all had been answered. */
  answered: number
  /** Bytes read at the last look, and when they were read, as far as looks can tell. */
  read: number
  receivedAt: number
  /** Since when it has been waiting for an answer and received nothing. */
  silentSince: number
  /** The server was seen to do nothing for it, once: an answer might have been on its way. */
  doubted: boolean
  /** In a pool, with nothing to do. */
  resting: boolean
}

/**
 * The connections of this process. One whose packets vanish is not informed: it waits for an answer until the network gives
 * up, which takes a quarter of an hour. How long a statement may take cannot say which connection is dead, as a search or a migration may take
 * minutes. So the server is asked, on another connection, whether it is at work for those that have been silent.
 */
export interface Lines {
  /** Watches a connection that has been made. */
  watch(client: ClientBase): Promise<void>
  /** It is back in a pool, or was taken out. */
  rests(client: ClientBase, resting: boolean): void
}

/** `connect` must fail within `silentMs` where there is no answer, and so must its queries. */
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
      // It is there, and takes no more connections.
      throw error
    })
    try {
      const working = server && (await workingOf(server, pids))
      // What was received meanwhile is no longer silent.
      const dead = silent.filter((line) => streamOf(line.client).bytesRead === line.read && isDead(line, working))
      if (dead.length === 0) return
      cut(dead)
      // What they held is free for others now, and not when the server finds out.
      await server?.query('select pg_terminate_backend(pid) from unnest($1::int[]) as dead (pid)', [
        dead.map(({ pid }) => pid),
      ])
    } finally {
      server?.end().catch(() => {})
    }
  }

  /** `working` has the processes of the server; it is undefined when nothing answered. */
  function isDead(line: Line, working: ReadonlyMap<number, boolean> | undefined): boolean {
    const works = working?.get(line.pid)
    if (works) return false
    const twice = line.doubted
    line.doubted = true
    return twice || works === undefined
  }

  /** What rests in a pool and has received nothing since goes, too: else the next requests would find out one by one. */
  function cut(dead: readonly Line[]): void {
    const since = Math.min(...dead.map((line) => line.silentSince))
    const resting = [...lines.values()].filter((line) => line.resting && line.receivedAt <= since)
    for (const { client } of new Set([...dead, ...resting])) {
      streamOf(client).destroy(Object.assign(new Error('no answer any more'), { code: 'ETIMEDOUT' }))
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

/** Whether the server is at work for these processes of its; those that it does not have are missing. Undefined when it does not answer. */
async function workingOf(server: Client, pids: readonly number[]): Promise<ReadonlyMap<number, boolean> | undefined> {
  try {
    // Waiting for the client is not work. Where the server does not keep track of what is done, all is.
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

/** @NOTE the driver's own: it has no other way to give up a connection, or to send several statements at once. */
const streamOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** The statements that `send` sends leave together: each by itself is a call of the system here, and wakes the server. */
export function sentTogether<T>(client: ClientBase, send: () => T): T {
  const stream = streamOf(client)
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
