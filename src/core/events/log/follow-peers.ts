import { type Db, type PeerNews, statement } from '../../../storage/index.ts'
import { cacheOf } from '../../kernel/cache.ts'
import type { Chat } from '../../kernel/chat.ts'
import { storeOf } from '../../kernel/store.ts'
import { busOf } from './bus.ts'
import { endReaders } from './end-queues.ts'
import { eventIdsOf } from './event-ids.ts'
import { type LogEntry, logEntry, readLog } from './log.ts'
import { peerChangesOf } from './peer-changes.ts'

/** Events read at a time. */
const BATCH = 1000

const state = statement((db, _: object) =>
  db.selectFrom('event_log_state').select((eb) => [
    'reserved_up_to',
    'transient_up_to',
    eb
      .selectFrom('event')
      .select((e) => e.fn.max('id').as('id'))
      .as('logged'),
    eb
      .selectFrom('peer_change')
      .select((e) => e.fn.max('id').as('id'))
      .as('changes'),
  ]),
)

interface Position {
  reserved: number
  /** The newest event that is stored. */
  logged: number
  /** The newest id that any process has assigned to an event. */
  newest: number
  changes: number
}

async function positionIn(db: Db): Promise<Position> {
  const { reserved_up_to, transient_up_to, logged, changes } = (await state(db, {}))[0]!
  return {
    reserved: reserved_up_to,
    logged: logged ?? 0,
    newest: Math.max(logged ?? 0, transient_up_to),
    changes: changes ?? 0,
  }
}

/**
 * Keeps the memory of this process in step with the others that share its database. `onNews` is called if they sent
 * something, or may have.
 */
export function followPeers(chat: Chat, onNews: () => void): void {
  storeOf(chat).peers?.follow(async ({ db, announced, reconnected, eventIds, before }) => {
    if (before !== undefined) {
      if (await publishNews(chat, db, [], before)) onNews()
      return
    }
    if (reconnected) await passOverReserved(reconnected)
    const { reserved, logged, newest, changes } = await positionIn(db)
    const foreign = await peerChangesOf(chat)!.read(db, changes)
    if (foreign.incomplete) {
      cacheOf(chat).dropAll()
      onNews()
    }
    // Before readers are woken, because they check what they may read.
    for (const change of foreign.changes) {
      if ('cached' in change) busOf(chat).invalidate([change.cached])
      else endReaders(chat, change.ended)
    }
    const ids = await eventIds
    if (ids) eventIdsOf(chat).goOnIn(ids, reserved)
    else eventIdsOf(chat).goOnAfter(newest, reserved)
    // Events that are not stored must be published in their place. The others may wait for the commit.
    if (ids && announced.length === 0) return
    if (logged <= busOf(chat).head() && announced.length === 0) return
    if (await publishNews(chat, db, announced.map(fromAnnouncement))) onNews()
  })
}

/**
 * Skips reserved ids. A crash of the database may have undone relaxed writes, so it is unknown which ids were
 * assigned.
 */
async function passOverReserved(db: NonNullable<PeerNews['reconnected']>): Promise<void> {
  await db
    .updateTable('event_log_state')
    .set((eb) => ({ transient_up_to: eb.ref('reserved_up_to') }))
    .whereRef('transient_up_to', '<', 'reserved_up_to')
    .execute()
}

/**
 * Publishes what other processes have logged and the transient events they announced, in the order of their ids.
 *
 * @param before only stored events with lower ids
 */
async function publishNews(
  chat: Chat,
  db: Db,
  transient: readonly LogEntry[],
  before = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const bus = busOf(chat)
  const head = bus.head()
  let waiting = [...transient].sort((a, b) => a.id - b.id)
  for (;;) {
    const logged = await readLog(db, bus.head(), BATCH, before)
    const last = logged.length < BATCH ? Number.POSITIVE_INFINITY : logged.at(-1)!.id
    const now = [...logged, ...waiting.filter((entry) => entry.id <= last)].sort((a, b) => a.id - b.id)
    waiting = waiting.filter((entry) => entry.id > last)
    for (const entry of now) if (entry.id > bus.head()) bus.publish(entry)
    if (logged.length < BATCH) return bus.head() > head
  }
}

/** Formats a transient event for other processes. */
export const toAnnouncement = ({ id, payload, audience }: LogEntry): string => JSON.stringify([id, payload, audience])
function fromAnnouncement(text: string): LogEntry {
  const [id, payload, audience] = JSON.parse(text)
  return logEntry(id, payload, audience, text.length)
}

/** Resolves when this process knows what others had committed before the call. */
export async function catchUpWithPeers(chat: Chat): Promise<void> {
  await storeOf(chat).peers?.catchUp()
}

/** Returns whether this position of the log was ever assigned, here or by another process. */
export async function isPosition(chat: Chat, position: number): Promise<boolean> {
  if (position <= busOf(chat).head()) return true
  const { peers, db } = storeOf(chat)
  if (!peers) return false
  await peers.catchUp()
  return position <= (await positionIn(db)).newest
}

/** Returns whether this process runs the background work for all that share the database. */
export const leads = (chat: Chat): boolean => storeOf(chat).peers?.leads() ?? true
