import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Caller, sendMessage } from '../../src/index.ts'
import { TURN_LOCKS } from '../../src/storage/postgres/appending.ts'
import { WRITE_LOCK } from '../../src/storage/postgres/begin.ts'
import { eventually } from '../eventually.ts'
import type { Cluster } from './nodes.ts'

const SHARED = `pg_advisory_xact_lock_shared(${WRITE_LOCK})`
/** The upper half of the numbers of these locks. */
const TURN_CLASS = Math.floor(TURN_LOCKS / 2 ** 32)

export const say = async (who: Caller, content: string, more: { queue_id?: string; local_id?: string } = {}) =>
  (await sendMessage(who, { type: 'stream', to: 'general', topic: 'plans', content, ...more })).id

/** Counts the transactions that nodes began beside others. Mocks would also keep every call. */
function countAppending(t: TestContext): { readonly count: number } {
  const { prototype } = pg.Client
  const { query } = prototype
  let count = 0
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (typeof args[0] === 'string' && args[0].includes(SHARED)) count++
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as never
  t.after(() => {
    prototype.query = query
  })
  return {
    get count() {
      return count
    },
  }
}

/**
 * Makes each node append beside the others. They do so for a moment after another has written, and the
 * moment lasts until the end of the test.
 */
export async function appendTogether(t: TestContext, c: Cluster): Promise<{ readonly count: number }> {
  t.mock.method(performance, 'now', () => 0)
  const appending = countAppending(t)
  const people = await Promise.all(c.nodes.map((_, node) => c.at(node, 'hamlet')))
  for (const [node, person] of people.entries()) {
    const other = people[(node + 1) % people.length]!
    await eventually(`node ${node} appends`, async () => {
      await say(other, 'I write, too.')
      const before = appending.count
      await say(person, 'So we write together.')
      return appending.count > before
    })
  }
  return appending
}

export interface Held {
  /** Resolves when the message has its id. */
  readonly begun: Promise<number>
  /** Resolves when it is stored. */
  readonly sent: Promise<number>
  /** Lets its transaction end. */
  release(): void
}

/** Sends a message whose transaction stays open. While it is, the node asks the database something, unless `still`. */
export function sendHeld(
  who: Caller,
  content: string,
  { still = false, ...more }: { still?: boolean } & Parameters<typeof say>[2] = {},
): Held {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = true
  void released.then(() => {
    isHeld = false
  })
  let begin = (_: number) => {}
  const begun = new Promise<number>((resolve) => {
    begin = resolve
  })
  const sent = who.write(
    async (tx) => {
      const id = await say(tx, content, more)
      begin(id)
      if (still) await released
      // A transaction without statements would be ended by a node that waits for it.
      while (isHeld) await tx.db.selectFrom('organization').select('deactivated_at').execute()
      return id
    },
    { appends: true },
  )
  return { begun, sent, release }
}

/** Resolves when so many transactions wait for the ones with lower ids. */
export async function waitForTurns(c: Cluster, count: number): Promise<void> {
  const { db } = storeOf(c.w.chat)
  await eventually(`${count} wait for their turn`, async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(distinct pid) as waiting from pg_locks where locktype = 'advisory' and not granted
        and classid = ${TURN_CLASS}::bigint::oid and ${ofThisDatabase}`.execute(db)
    return rows[0]!.waiting === count
  })
}

/** Ends the connection of the transaction with this place in the order of their ids. */
export async function endConnection(c: Cluster, place: number): Promise<void> {
  await sql`select pg_terminate_backend(pid) from (
    select pid from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
      and classid = ${TURN_CLASS}::bigint::oid and ${ofThisDatabase}
    order by objid offset ${place} limit 1) as holder`.execute(storeOf(c.w.chat).db)
}

const ofThisDatabase = sql`database = (select oid from pg_database where datname = current_database())`
