import { type Db, statement } from '../../../storage/index.ts'
import type { LoggedEvent, LoggedType } from '../types/table.ts'
import type { Audience } from './audience.ts'
import { fromStoredForm } from './stored-form.ts'

/** One event of the log, as kept in memory. */
export interface LogEntry {
  readonly id: number
  readonly type: LoggedType
  readonly payload: LoggedEvent
  readonly audience: Audience
  /** Characters of the payload as JSON: its cost in memory. */
  readonly size: number
  /** JSON built so far, by rendering variant. It is built once and shared by all readers. */
  readonly texts: Map<string, string>
}

export const logEntry = (id: number, payload: LoggedEvent, audience: Audience, size: number): LogEntry => ({
  id,
  type: payload.type,
  payload,
  audience,
  size,
  texts: new Map(),
})

/**
 * Returns an event as read from the log. Its texts are parsed when they are first needed: a process that shares its
 * database reads every event of the others, and most may be for none of its readers.
 */
function storedEntry(row: { id: number; type: string; payload: string; audience: string }): LogEntry {
  const texts = { payload: row.payload, audience: row.audience }
  let payload: LoggedEvent | undefined
  let audience: Audience | undefined
  return {
    id: row.id,
    type: row.type as LoggedType,
    size: row.payload.length,
    texts: new Map(),
    get payload() {
      if (payload) return payload
      payload = fromStoredForm(texts.payload)
      // Only one form stays in memory.
      texts.payload = ''
      return payload
    },
    get audience() {
      if (audience) return audience
      audience = JSON.parse(texts.audience) as Audience
      texts.audience = ''
      return audience
    },
  }
}

/** Returns whether it is a message of a public stream, which readers without a subscription may have asked for. */
export const isPublicMessage = (entry: LogEntry): boolean =>
  entry.type === 'message' && entry.payload.type === 'message' && entry.payload.is_public_stream

const newestId = statement((db, _: object) => db.selectFrom('event').select('id').orderBy('id', 'desc').limit(1))

/** Returns the position of the newest stored event, which the sweep never removes. */
export async function headOfLog(db: Db): Promise<number> {
  const [row] = await newestId(db, {})
  return row?.id ?? 0
}

const after = statement((db, p: { position: number; before: number; limit: number }) =>
  db
    .selectFrom('event')
    .select(['id', 'type', 'payload', 'audience'])
    .where('id', '>', p.position)
    .where('id', '<', p.before)
    .orderBy('id')
    .limit(p.limit),
)

/** Reads the next events after a position from disk, up to the one before `before`. */
export async function readLog(
  db: Db,
  position: number,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<LogEntry[]> {
  const rows = await after(db, { position, before, limit })
  return rows.map(storedEntry)
}

/**
 * Reads the newest events up to a position, oldest first. After a restart, all readers need these at the same time.
 */
export async function newestOfLog(db: Db, head: number, limit: number): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('event')
    .select('id')
    .where('id', '<=', head)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const oldest = rows.at(-1)
  return oldest ? readLog(db, oldest.id - 1, rows.length) : []
}
