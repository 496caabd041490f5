import { type Db, statement } from '../../../storage/index.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'

/** Ids reserved at a time for events that are not stored. */
const BLOCK = 1000

/**
 * Assigns the ids of events: ascending, in the order of writes, which are serialised. The log has those of
 * stored events. Ids of transient events are reserved on disk beforehand, so that after a crash no id that a
 * client has seen is given to another event. Ids may be skipped: by a crash, or by a write that failed.
 */
export interface EventIds {
  /** The newest id this process has assigned; the next event comes after it. */
  readonly newest: number
  /** The id of an event to be stored that takes `count` ids; its own is the last of them. */
  draw(count: number): number
  /** The id of a transient event. Throws ReservationSpent in a relaxed write, which cannot reserve more. */
  drawTransient(tx: SystemTx): Promise<number>
  /** Reserves more ids, in a write that is not relaxed. */
  reserve(tx: SystemTx): Promise<void>
  /** Other processes have assigned ids, too: the next one comes after all of them. */
  goOnAfter(newest: number, reserved: number): void
}

/** No reserved id is left: call `reserve` in a write of its own, then try again. */
export class ReservationSpent extends Error {}

const state = statement((db, _: object) => db.selectFrom('event_log_state').selectAll())
const setReserved = statement((db, p: { up_to: number }) =>
  db.updateTable('event_log_state').set({ reserved_up_to: p.up_to }),
)

/** The position up to which events have been removed from the log. After it the log is complete. */
export const prunedPosition = async (db: Db): Promise<number> => (await state(db, {}))[0]!.pruned_up_to

export const prunedUpTo = defineCache('events-pruned', prunedPosition)

const setPruned = statement((db, p: { up_to: number }) =>
  db.updateTable('event_log_state').set({ pruned_up_to: p.up_to }),
)

export async function recordPruned(tx: SystemTx, up_to: number): Promise<void> {
  await setPruned(tx.db, { up_to })
  prunedUpTo.invalidate(tx)
}

const setTransient = statement((db, p: { up_to: number }) =>
  db.updateTable('event_log_state').set({ transient_up_to: p.up_to }),
)

/** `shared`: other processes use the database, too, and read which of the reserved ids were assigned. */
export async function createEventIds(db: Db, headOfLog: number, shared: boolean): Promise<EventIds> {
  const { reserved_up_to, transient_up_to } = (await state(db, {}))[0]!
  let reserved = reserved_up_to
  // Alone after a restart, it is not known which of the reserved ids were assigned. Others assign them now.
  let newest = Math.max(headOfLog, shared ? transient_up_to : reserved)
  return {
    get newest() {
      return newest
    },
    draw(count) {
      newest += count
      return newest
    },
    async drawTransient(tx) {
      if (newest >= reserved) {
        if (tx.relaxed) throw new ReservationSpent()
        await reserve(tx)
      }
      newest++
      if (shared) await setTransient(tx.db, { up_to: newest })
      return newest
    },
    reserve,
    goOnAfter(other, reservedByAll) {
      newest = other
      reserved = reservedByAll
    },
  }

  async function reserve(tx: SystemTx): Promise<void> {
    const up_to = newest + BLOCK
    await setReserved(tx.db, { up_to })
    tx.afterCommit(() => {
      reserved = up_to
    })
  }
}

export const eventIdsOf = defineService<EventIds>('event ids')
