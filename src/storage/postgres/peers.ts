import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db, TxDb } from '../handle.ts'
import { statement } from '../statement.ts'
import type { IdRange, PeerLock, PeerNews, Peers, ServerInspection } from '../store.ts'
import { timers } from '../timers.ts'
import type { Connector } from './client.ts'

/** Runs one piece of work at a time, in the order of the calls. */
function createMutex(): { run<T>(work: () => Promise<T>): Promise<T>; readonly waiting: number } {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    get waiting() {
      return waiting
    },
    run(work) {
      waiting++
      const begin = () => {
        waiting--
        return work()
      }
      const result = last.then(begin, begin)
      last = result.catch(() => {})
      return result
    },
  }
}

async function inspectServer(db: Db): Promise<ServerInspection> {
  const facts = await sql<ServerInspection>`
    select current_setting('server_version') as server_version,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('fsync') as fsync,
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database()) as database_bytes,
      (select count(*) from pg_stat_activity
        where application_name = 'chat-server' and datname = current_database()) as connections,
      current_setting('max_connections')::bigint as max_connections`.execute(db)
  return facts.rows[0]!
}

const CHANNEL = 'chat_server'
/** The channel for news that isn't about a commit. */
const GOSSIP = 'chat_server_gossip'
/** Held by the connection of the one process that runs background work. */
const LEADER_LOCK = 0x63686176
/** Held by the listening connections of all processes together, or by one process that must be alone. */
const IN_USE_LOCK = 0x63686177
/** Held by the listening connection of a process during work that must not run twice at a time. */
const PEER_LOCKS: Readonly<Record<PeerLock, number>> = {
  export: 0x63686178,
  'directory sync': 0x63686179,
  import: 0x6368617c,
}
/** Makes up for a lost notification, and limits how soon another process leads after the leader is gone. */
const LOOK_EVERY_MS = 1000
/** For how long after a commit another process counts as writing. */
const MOMENT_MS = 100

const notify = statement((db, p: { text: string }) =>
  db.selectNoFrom((eb) => eb.fn<number>('pg_notify', [eb.val(CHANNEL), eb.val(p.text)]).as('sent')),
)

export interface PostgresPeers extends Peers {
  /** The statement that announces news to other processes, sent before a commit. */
  readonly commitNotice: string
  /** Runs a transaction of this process. Until it ends, nothing else updates this process's memory. */
  during<T>(transaction: () => Promise<T>): Promise<T>
  /** Whether something waits to update this process's memory. */
  readonly isAwaited: boolean
  /** Call it first in that transaction. */
  begin(db: TxDb, options: { reconnected: boolean; eventIds?: Promise<IdRange> | undefined }): Promise<void>
  /** Call it after the commit of a transaction that others appended beside, before anyone learns of its events. */
  afterAppending(db: Db, eventIds: IdRange): Promise<void>
  /** Whether another process committed something a moment ago, so that it is worthwhile to append beside it. */
  readonly areWriting: boolean
  /** Starts to listen, and leads if no other process does. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The writer of this process. */
interface OwnWriter {
  readonly processId: number | undefined
  readonly hasWaiting: boolean
}

/**
 * Follows what other processes commit, by notifications, and by polling every second in case a notification was lost.
 */
export function createPeers(connector: Connector, db: Db, writer: () => OwnWriter): PostgresPeers {
  const mutex = createMutex()
  let follower: (news: PeerNews) => Promise<void> = async () => {}
  const announced: string[] = []
  let news = false
  let newestCommit = Number.NEGATIVE_INFINITY
  let catching: Promise<void> | undefined
  /** The next catch-up, which all callers share until it begins. */
  let upcoming: Promise<void> | undefined
  let listener: Client | undefined
  let connecting: Promise<void> | undefined
  let looking = false
  let leading = false
  let onLead = () => {}
  let onBroadcast = (_: string) => {}
  let stopped = false
  const held = new Set<PeerLock>()

  const follow = async (on: Db, more: Pick<PeerNews, 'reconnected' | 'eventIds' | 'before'> = {}) => {
    const now = more.before === undefined ? announced.splice(0) : []
    // What others append is read after a transaction beside them, and what they announced in the next one.
    news = more.eventIds !== undefined || announced.length > 0
    try {
      await follower({ db: on, announced: now, ...more })
    } catch (error) {
      // Announcements are received only once, so they are kept for the next try.
      announced.unshift(...now)
      news = true
      throw error
    }
  }
  function followSoon(): void {
    news = true
    // A failure also fails the next catch-up, which tries again.
    catching ??= mutex
      .run(async () => {
        catching = undefined
        // The transaction that begins in a moment follows the others, too.
        if (news && !stopped && !writer().hasWaiting) await follow(db)
      })
      .catch(() => {})
  }
  async function connect(): Promise<void> {
    const client = await connector.connect()
    client.on('notification', ({ channel, processId, payload = '' }) => {
      if (channel === GOSSIP) {
        if (processId !== (client as Client & { processID?: number }).processID) onBroadcast(payload)
        return
      }
      if (processId === writer().processId) return
      newestCommit = performance.now()
      if (payload) announced.push(payload)
      followSoon()
    })
    client.on('end', () => {
      if (listener !== client) return
      listener = undefined
      leading = false
    })
    await client.query(`listen ${CHANNEL}; listen ${GOSSIP}; select pg_advisory_lock_shared(${IN_USE_LOCK})`)
    listener = client
    followSoon()
    if (stopped) await client.end()
  }
  /** @NOTE the lock belongs to the connection, so it is released as soon as the process or the network ends */
  async function lookAround(): Promise<void> {
    if (!listener) {
      connecting ??= connect().finally(() => {
        connecting = undefined
      })
      await connecting
    }
    if (leading) {
      // A connection that only listens would not notice that it is dead.
      await listener?.query('select')
    } else if (listener) {
      const { rows } = await listener.query(`select pg_try_advisory_lock(${LEADER_LOCK}) as leads`)
      if (rows[0].leads === 1 && !stopped) {
        leading = true
        onLead()
      }
    }
  }
  async function look(): Promise<void> {
    followSoon()
    if (looking) return
    looking = true
    await lookAround().catch(() => {})
    looking = false
  }
  const timer = timers.setInterval(() => void look(), LOOK_EVERY_MS)
  timer.unref()

  return {
    commitNotice: `notify ${CHANNEL}`,
    during: (transaction) => mutex.run(transaction),
    get isAwaited() {
      return mutex.waiting > 0
    },
    begin: (tx, { reconnected, eventIds }) => follow(tx, { reconnected: reconnected ? tx : undefined, eventIds }),
    afterAppending: (on, { after }) => follow(on, { before: after + 1 }),
    get areWriting() {
      return performance.now() - newestCommit < MOMENT_MS
    },
    start: lookAround,
    follow(work) {
      follower = work
    },
    announce: async (tx: TxDb, text) => void (await notify(tx, { text })),
    catchUp() {
      upcoming ??= mutex.run(() => {
        upcoming = undefined
        return follow(db)
      })
      return upcoming
    },
    leads: () => leading,
    onLead(start) {
      onLead = start
      if (leading) start()
    },
    async excludeOthers() {
      const answer = await listener?.query(`select pg_try_advisory_lock(${IN_USE_LOCK}) as alone`)
      return answer?.rows[0].alone === 1
    },
    async tryLock(name) {
      const key = PEER_LOCKS[name]
      const client = listener
      // A connection may take its own lock again, so this process remembers that it has it.
      if (!client || held.has(name)) return undefined
      held.add(name)
      const unlock = () => void held.delete(name)
      try {
        const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as locked`)
        if (rows[0].locked === 1)
          return async () => {
            // A connection that has ended holds no locks.
            await client.query(`select pg_advisory_unlock(${key})`).catch(() => {})
            unlock()
          }
      } catch (error) {
        unlock()
        throw error
      }
      unlock()
      return undefined
    },
    broadcast(text) {
      listener?.query('select pg_notify($1, $2)', [GOSSIP, text]).catch(() => {})
    },
    onBroadcast(listen) {
      onBroadcast = listen
    },
    inspect: () => inspectServer(db),
    async stop() {
      stopped = true
      leading = false
      timers.clearInterval(timer)
      await connecting?.catch(() => {})
      await catching
      // Unlocks explicitly because the server notices a closed connection a moment later.
      await listener?.query('select pg_advisory_unlock_all()').catch(() => {})
      await listener?.end().catch(() => {})
    },
  }
}
