import type { Caller } from '../context.ts'
import { isFor, type Periods, periodsOfUser } from '../event-log/audience.ts'
import { busOf } from '../event-log/bus.ts'
import { type LogEntry, readLog } from '../event-log/log.ts'
import type { Queue } from '../event-log/queues.ts'
import { ownFlags } from '../read-state/flags-of.ts'
import type { User } from '../user.ts'
import { queueFilter } from './narrow-filter.ts'
import { serializeEvent } from './serialize.ts'

/** Events read from the log at a time, and answered at most. */
const BATCH = 1000

/** Where a reader stands in the log, and who they were there. */
export interface Reader {
  cursor: number
  user: User
}

export const periodsOf = (caller: Caller): Promise<Periods> => periodsOfUser.get(caller, caller.user.id)

/** What this queue gets of the log after the reader's position, as JSON. Moves the reader on as far as it looked. */
export async function readEvents(caller: Caller, queue: Queue, reader: Reader): Promise<string[]> {
  const bus = busOf(caller.chat)
  const passes = await queueFilter(caller, queue.options.narrow)
  const texts: string[] = []
  while (texts.length < BATCH) {
    const remembered = bus.recent(reader.cursor, BATCH)
    const entries = remembered ?? (await readLog(caller.db, reader.cursor, BATCH))
    if (entries.length === 0) break
    const periods = await periodsOf(caller)
    for (const entry of entries) {
      reader.user = userAfter(entry, reader.user)
      if (mayRead(queue, entry, reader.user, periods) && passes(entry, reader.user)) {
        const flags = entry.type === 'update_message' ? await flagsNow(caller, entry) : undefined
        texts.push(...serializeEvent(entry, queue, reader, flags))
      }
      reader.cursor = entry.id
    }
    // A long log is read for one reader; others have a turn between its pages.
    if (!remembered) await new Promise(setImmediate)
  }
  return texts
}

/** Clients take an edited message's flags from the event; whose they are, no log could say for all. */
const flagsNow = (caller: Caller, { payload }: LogEntry): Promise<string[]> =>
  ownFlags(caller, payload.message_id as number)

function mayRead(queue: Queue, entry: LogEntry, user: User, periods: Periods): boolean {
  if (entry.type === 'heartbeat') return false
  if (isFor(entry.audience, entry.id, user, periods)) return true
  // Messages of public streams, for the bots that asked to overhear them.
  return queue.options.all_public_streams && entry.payload.is_public_stream === true
}

/** A new role counts from its own event on, also for a poll that began before it. */
function userAfter({ type, payload }: LogEntry, user: User): User {
  if (type !== 'realm_user' || payload.op !== 'update') return user
  const { user_id, role } = payload.person as { user_id: number; role?: number }
  return user_id === user.id && role !== undefined ? { ...user, role } : user
}
