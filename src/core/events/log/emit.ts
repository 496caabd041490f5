import { after, type Soon, statement } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Caller, SystemTx, Tx } from '../../kernel/context.ts'
import { checkContract } from '../../kernel/contract.ts'
import { storeOf } from '../../kernel/store.ts'
import { eventTypes, idCount, isTransient, type LoggedEvent } from '../types/table.ts'
import type { Audience } from './audience.ts'
import { busOf } from './bus.ts'
import { eventIdsOf, ReservationSpent } from './event-ids.ts'
import { toAnnouncement } from './follow-peers.ts'
import { type LogEntry, logEntry } from './log.ts'
import { storedForm } from './stored-form.ts'

/** Characters of an announcement. Each takes at most three of the 7,000 available bytes. */
const MAX_ANNOUNCED = 2300

interface NewRow {
  id: number
  type: string
  payload: string
  audience: string
  created_at: number
}

const append = statement((db, p: NewRow) =>
  db
    .insertInto('event')
    .values({ id: p.id, type: p.type, payload: p.payload, audience: p.audience, created_at: p.created_at }),
)

/**
 * Appends an event to the log, in the transaction of the change itself. Waiting readers are woken after the commit.
 * Transient events aren't stored and reach only current readers. Returns the event's position.
 */
export function emit(tx: SystemTx, event: LoggedEvent, audience: Audience): Soon<number> {
  const { chat, db } = tx
  const { type } = event
  checkContract(chat, `an event of type ${type}`, eventTypes[type].logged, event)
  const payload = storedForm(event)
  if (isTransient(type)) return emitTransient(tx, event, audience, payload.length)
  const id = eventIdsOf(chat).draw(idCount(event))
  const row = { id, type, payload, audience: JSON.stringify(audience), created_at: seconds(chat.clock) }
  return after(append(db, row), () => publish(tx, logEntry(id, event, audience, payload.length)))
}

async function emitTransient(tx: SystemTx, event: LoggedEvent, audience: Audience, size: number): Promise<number> {
  const entry = logEntry(await eventIdsOf(tx.chat).drawTransient(tx), event, audience, size)
  await announce(tx, entry)
  return publish(tx, entry)
}

function publish(tx: SystemTx, entry: LogEntry): number {
  tx.afterCommit(() => busOf(tx.chat).publish(entry))
  return entry.id
}

/** Processes that share the database read what is logged. Transient events are sent to them with the commit. */
async function announce({ chat, db }: SystemTx, entry: LogEntry): Promise<void> {
  const { peers } = storeOf(chat)
  if (!peers) return
  const text = toAnnouncement(entry)
  // Longer events reach only readers of this process, such as typing notifications to hundreds of users.
  if (text.length <= MAX_ANNOUNCED) await peers.announce(db, text)
}

/** Returns the newest position of the log as this write sees it. The next event comes after it. */
export const position = (tx: SystemTx): number => eventIdsOf(tx.chat).newest

/**
 * A write without a synced commit, for transient events and for rows that a power failure may undo. The work
 * may run twice.
 */
export async function writeTransient<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await caller.write(work, { relaxed: true })
    } catch (error) {
      if (!(error instanceof ReservationSpent)) throw error
      await caller.write((tx) => eventIdsOf(tx.chat).reserve(tx))
    }
  }
}
