import { statement } from '../../storage/statement.ts'
import type { Tx } from '../caller.ts'
import { seconds } from '../clock.ts'
import type { Audience } from './audience.ts'
import { type LoggedEvent, logEntry } from './log.ts'

const append = statement((db, p: { type: string; payload: string; audience: string; created_at: number }) =>
  db
    .insertInto('event')
    .values({ type: p.type, payload: p.payload, audience: p.audience, created_at: p.created_at })
    .returning('id'),
)

/**
 * Appends to the log in the transaction of the change itself; whoever waits is woken after the commit.
 * The last thing a write does. Returns the event's position.
 */
export async function emit(tx: Tx, event: LoggedEvent, audience: Audience): Promise<number> {
  const [row] = await append(tx.db, {
    type: event.type,
    payload: JSON.stringify(event),
    audience: JSON.stringify(audience),
    created_at: seconds(tx.chat.clock),
  })
  const entry = logEntry(row!.id, event, audience)
  tx.afterCommit(() => tx.chat.hub.publish(entry))
  return entry.id
}

/** Where the log stands inside this write: the position the next event will pass. */
export async function position(tx: Tx): Promise<number> {
  const row = await tx.db.selectFrom('event').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}
