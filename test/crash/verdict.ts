import type { Person } from './client.ts'
import type { Contents, EventRow, MessageRow } from './contents.ts'
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

/** Compares what the clients know with what is in the database. */
export function judge(
  { messages, log, reactions }: Contents,
  journal: Journal,
  readers: readonly Reader[],
  visits: readonly Visit[],
): Verdict {
  const verdict = { ...judgeMessages(messages, journal), delivered: 0, missed: 0, repeated: 0 }
  const events = new Map<number, EventRow>()
  for (const event of log) {
    if (event.message_id === null) continue
    if (events.has(event.message_id)) journal.complain(`message ${event.message_id} has several events`)
    events.set(event.message_id, event)
  }
  judgeReactions(new Set(reactions), journal)
  for (const { id } of messages.slice(-events.size)) if (!events.has(id)) journal.complain(`message ${id} has no event`)

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
  for (const visit of visits) judgeVisit(visit, messages, events, journal)
  return verdict
}

function judgeMessages(messages: readonly MessageRow[], journal: Journal) {
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

function judgeReactions(found: ReadonlySet<string>, journal: Journal): void {
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
  messages: readonly MessageRow[],
  events: ReadonlyMap<number, EventRow>,
  journal: Journal,
): void {
  const last = seen.at(-1)
  if (last === undefined) return
  const between = messages.filter((row) => row.id > newest && row.id <= last)
  if (events.size === 0 || between.length === 0) return
  const meant = between.filter((row) => {
    const event = events.get(row.id)
    return event === undefined || isFor(event.audience, person)
  })
  const wanted = meant.map((row) => row.id).join()
  if (wanted !== seen.join()) journal.complain(`a visitor saw ${seen} where ${wanted} happened`)
}
