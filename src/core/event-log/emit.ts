import { sql } from 'kysely'
import { statement } from '../../storage/statement.ts'
import { seconds } from '../clock.ts'
import type { SystemTx } from '../context.ts'
import { checkContract } from '../contract.ts'
import type { Audience } from './audience.ts'
import { busOf } from './bus.ts'
import { headOfLog, logEntry } from './log.ts'
import { eventTypes, idCount, type LoggedEvent } from './types/table.ts'

interface NewEntry {
  type: string
  payload: string
  audience: string
  created_at: number
}

const append = statement((db, p: NewEntry) =>
  db
    .insertInto('event')
    .values({ type: p.type, payload: p.payload, audience: p.audience, created_at: p.created_at })
    .returning('id'),
)

/** Leaves out positions before its own, which are the ids of the event's parts. */
const appendWide = statement((db, p: NewEntry & { width: number }) =>
  db
    .insertInto('event')
    .values((eb) => ({
      id: sql<number>`${eb.selectFrom('event').select((e) => e.fn.coalesce(e.fn.max('id'), sql<number>`0`).as('id'))} + ${p.width}`,
      type: p.type,
      payload: p.payload,
      audience: p.audience,
      created_at: p.created_at,
    }))
    .returning('id'),
)

/**
 * Appends to the log in the transaction of the change itself; whoever waits is woken after the commit.
 * The last thing a write does. Returns the event's position.
 */
export async function emit(tx: SystemTx, event: LoggedEvent, audience: Audience): Promise<number> {
  checkContract(tx.chat, `an event of type ${event.type}`, eventTypes[event.type].logged, event)
  const payload = JSON.stringify(event)
  const row = {
    type: event.type,
    payload,
    audience: JSON.stringify(audience),
    created_at: seconds(tx.chat.clock),
  }
  const width = idCount(event)
  const [appended] = await (width === 1 ? append(tx.db, row) : appendWide(tx.db, { ...row, width }))
  const entry = logEntry(appended!.id, event, audience, payload.length)
  tx.afterCommit(() => busOf(tx.chat).publish(entry))
  return entry.id
}

/** Where the log stands inside this write: the position the next event will pass. */
export const position = (tx: SystemTx): Promise<number> => headOfLog(tx.db)
