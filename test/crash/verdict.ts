import Database from 'better-sqlite3'
import type { Person } from './client.ts'
import type { Journal } from './journal.ts'
import type { Visit } from './newcomer.ts'
import { EVENT_TYPES, type Reader } from './poller.ts'

export interface Verdict {
  acknowledged: number
  /** Acknowledged and missing, or with another content. */
  lost: number
  /** The same (sender, local_id) stored more than once. */
  doubled: number
  /** Stored, but never sent. */
  invented: number
  /** Events that readers received. */
  delivered: number
  /** Events of the log that a reader in their audience did not receive. */
  missed: number
  /** Events received twice, out of order, or by the wrong reader. */
  repeated: number
}

interface Row {
  id: number
  sender_id: number
  content: string
}
interface LogRow {
  id: number
  type: string
  audience: string
}

/** Compares what the clients know with the file. */
export function judge(file: string, journal: Journal, readers: readonly Reader[], visits: readonly Visit[]): Verdict {
  const database = new Database(file, { readonly: true })
  const all = <T>(sql: string) => database.prepare(sql).all() as T[]
  const check = (sql: string, wanted: unknown[]) => {
    const found = database.pragma(sql) as object[]
    if (JSON.stringify(found.flatMap(Object.values)) !== JSON.stringify(wanted)) journal.complain(`${sql}: ${found}`)
  }
  check('integrity_check', ['ok'])
  check('foreign_key_check', [])
  const messages = all<Row>('select id, sender_id, content from message order by id')
  const log = all<LogRow>('select id, type, audience from event order by id')
  const verdict = { ...judgeMessages(messages, journal), delivered: 0, missed: 0, repeated: 0 }
  const detail = all<{ id: number; times: number }>(
    "select payload ->> '$.message.id' as id, count(*) as times from event where type = 'message' group by 1",
  )
  for (const { id, times } of detail) if (times !== 1) journal.complain(`message ${id} has ${times} events`)
  judgeReactions(
    all<{ key: string }>("select user_id || ' ' || message_id || ' ' || emoji_name as key from reaction"),
    journal,
  )
  const newest = new Map(detail.map(({ id }) => [id, true]))
  for (const { id } of messages.slice(-detail.length))
    if (!newest.has(id)) journal.complain(`message ${id} has no event`)

  for (const reader of readers) {
    const { seen } = reader
    const had = new Set(seen)
    // Pruned events (behind every reader) cannot be looked up any more.
    const oldest = log[0]?.id ?? 0
    const meant = log.filter(
      (row) => row.id > reader.start && EVENT_TYPES.includes(row.type) && isFor(row.audience, reader.person),
    )
    const wanted = new Set(meant.map((row) => row.id))
    verdict.delivered += seen.length
    verdict.missed += meant.filter((row) => !had.has(row.id)).length
    verdict.repeated += reader.repeated
    verdict.repeated += seen.filter(
      (id, i) => (i > 0 && id <= seen[i - 1]!) || (id >= oldest && !wanted.has(id)),
    ).length
  }
  for (const visit of visits) judgeVisit(visit, messages, log, database, journal)
  database.close()
  return verdict
}

function judgeMessages(messages: readonly Row[], journal: Journal) {
  const byId = new Map(messages.map((row) => [row.id, row]))
  const times = new Map<string, number>()
  for (const { sender_id, content } of messages) {
    const key = `${sender_id} ${content}`
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  const keyOf = (sent: Journal['sent'][number]) => `${sent.sender.id} ${sent.content}`
  const known = new Set(journal.sent.map(keyOf))
  const senders = new Set(journal.sent.map((sent) => sent.sender.id))
  return {
    acknowledged: journal.acknowledged.length,
    lost: journal.acknowledged.filter((sent) => {
      const row = byId.get(sent.id!)
      return row?.content !== sent.content || row.sender_id !== sent.sender.id
    }).length,
    doubled: journal.sent.filter((sent) => (times.get(keyOf(sent)) ?? 0) > 1).length,
    invented: messages.filter((row) => senders.has(row.sender_id) && !known.has(`${row.sender_id} ${row.content}`))
      .length,
  }
}

function judgeReactions(rows: { key: string }[], journal: Journal): void {
  const found = new Set(rows.map((row) => row.key))
  for (const [key, on] of journal.reactions) {
    if (found.has(key) !== on) journal.complain(`reaction ${key} should be ${on ? 'there' : 'gone'}`)
  }
}

/** All members are in the one stream from the start, so its events are for everybody. */
function isFor(audience: string, { id }: Person): boolean {
  const { stream, users } = JSON.parse(audience) as { stream?: number; users?: number[] }
  return stream !== undefined || (users ?? []).includes(id)
}

/** There is no gap between register's state and the events after it. */
function judgeVisit(
  { person, newest, seen }: Visit,
  messages: readonly Row[],
  log: readonly LogRow[],
  database: Database.Database,
  journal: Journal,
): void {
  const last = seen.at(-1)
  if (last === undefined) return
  const eventOf = database.prepare(
    "select audience from event where type = 'message' and payload ->> '$.message.id' = ?",
  )
  const between = messages.filter((row) => row.id > newest && row.id <= last)
  if (log.length === 0 || between.length === 0) return
  const meant = between.filter((row) => {
    const event = eventOf.get(row.id) as LogRow | undefined
    return event === undefined || isFor(event.audience, person)
  })
  const wanted = meant.map((row) => row.id).join()
  if (wanted !== seen.join()) journal.complain(`a visitor saw ${seen} where ${wanted} happened`)
}
