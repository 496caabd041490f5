import { type Db, type IdRange, MustRunAlone, statement } from '../../../storage/index.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'

/** Ids reserved at a time for transient events. */
const BLOCK = 1000

/**
 * Assigns the ids of events: ascending, in the order of the serialized writes. The ids of stored events are in the
 * log. Ids of transient events are reserved on disk first, so that after a crash no id that a client has seen is
 * assigned again. A crash or a failed write may skip ids.
 */
export interface EventIds {
  /** The newest id this process has assigned; the next event comes after it. */
  readonly newest: number
  /**
   * Returns the id of an event to store that takes `count` ids. Its own id is the last of them. Throws MustRunAlone if
   * no reserved id is left.
   */
  draw(count: number): number
  /** Returns the id of a transient event. Throws ReservationSpent in a relaxed write, which can't reserve more. */
  drawTransient(tx: SystemTx): Promise<number>
  /** Reserves more ids, in a write that is not relaxed. */
  reserve(tx: SystemTx): Promise<void>
  /** Continues after the ids that other processes have assigned. */
  goOnAfter(newest: number, reserved: number): void
  /** Assigns only these ids until the next call of `goOnAfter`, because other processes assign others. */
  goOnIn(ids: IdRange, reserved: number): void
}

/** No reserved ID is left: call `reserve` in a separate write, then try again. */
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

/** @param shared - whether other processes use the database too, and read which reserved ids were assigned */
export async function createEventIds(db: Db, headOfLog: number, shared: boolean): Promise<EventIds> {
  const { reserved_up_to, transient_up_to } = (await state(db, {}))[0]!
  let reserved = reserved_up_to
  // After a restart, a single process doesn't know which reserved ids were assigned. Other processes assign them now.
  let newest = Math.max(headOfLog, shared ? transient_up_to : reserved)
  let most = Number.POSITIVE_INFINITY
  return {
    get newest() {
      return newest
    },
    draw(count) {
      if (newest + count > most) throw new MustRunAlone()
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
      most = Number.POSITIVE_INFINITY
      reserved = reservedByAll
    },
    goOnIn({ after, upTo }, reservedByAll) {
      newest = after
      most = upTo
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
