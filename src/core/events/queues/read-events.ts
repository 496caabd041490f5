import { nextTurn, type Soon } from '../../../storage/index.ts'
import { unknownAmong } from '../../access/user-visibility.ts'
import type { FeedEvent } from '../../kernel/answers.ts'
import type { Caller } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { isGuest } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'
import { ownFlags } from '../../read-state/flags-of.ts'
import { type UnknownPerson, unknownPerson } from '../../users/unknown-user.ts'
import { isFor, type Periods, periodsOfUser } from '../log/audience.ts'
import { busOf, RECENT } from '../log/bus.ts'
import { isPublicMessage, type LogEntry, newestOfLog, readLog } from '../log/log.ts'
import { type Queue, readsAllPublicStreams } from '../log/queues.ts'
import { type EventReader, mayWant, variantsOf } from './compat.ts'
import { messagePayload } from './message-payload.ts'
import { type Filter, queueFilter, unfiltered } from './narrow-filter.ts'
import type { EventVariant } from './variant.ts'

/** Returns whether the queue was registered for events of this type. */
const wants = ({ options: { event_types } }: Queue, type: string): boolean =>
  event_types === null || event_types.includes(type)

/**
 * Returns an event for this queue's reader: none, one, or several in an older form. Events with ids that the reader
 * already has are left out.
 */
function serializeEvent(
  entry: LogEntry,
  queue: Queue,
  reader: EventReader & { cursor: number },
  flags?: readonly string[],
): FeedEvent[] {
  const { payload } = entry
  if (payload.type === 'message') return [messagePayload(entry, payload, queue, reader)]
  const events: FeedEvent[] = []
  const own = flags ? `,"flags":${JSON.stringify(flags)}` : ''
  for (const variant of variantsOf(payload, queue.options, reader)) {
    const id = entry.id - variant.idOffset
    if (id <= reader.cursor || !wants(queue, variant.type)) continue
    events.push({ id, type: variant.type, json: `${shared(entry, variant)}${own},"id":${id}}` })
  }
  return events
}

/** Returns a variant's JSON without its closing brace, built once for all its readers. */
function shared({ texts }: LogEntry, { variant, make }: EventVariant): string {
  const known = texts.get(variant)
  if (known !== undefined) return known
  const text = JSON.stringify(make()).slice(0, -1)
  texts.set(variant, text)
  return text
}

/** Events read from the log at a time, and the most in one response. */
const BATCH = 1000
/** … and the characters of JSON after which a response ends, so that a slow client holds little. */
const BATCH_SIZE = 1024 * 1024

/** A reader's position in the log, and their role at that position. */
export interface Reader {
  cursor: number
  user: User
  /** Which events may pass the queue's narrow; known once the log was read. */
  mayPass?: Filter
}

export const periodsOf = (caller: Caller): Soon<Periods> => periodsOfUser.get(caller, caller.user.id)

/**
 * Returns the next events of the log for this queue, and advances the reader's position. The log may have more: the
 * next read continues there.
 */
export async function readEvents(caller: Caller, queue: Queue, reader: Reader): Promise<FeedEvent[]> {
  const bus = busOf(caller.chat)
  const { narrow } = queue.options
  const { passes, mayPass } = narrow.length === 0 ? unfiltered : await queueFilter(caller, narrow)
  reader.mayPass = mayPass
  const events: FeedEvent[] = []
  let size = 0
  while (events.length < BATCH && size < BATCH_SIZE) {
    const head = bus.head()
    const remembered = bus.recent(reader.cursor, BATCH) ?? (await recalled(caller, reader.cursor))
    const entries = remembered ?? (await readLog(caller.db, reader.cursor, BATCH))
    if (entries.length === 0) {
      // Up to that position there were only transient events.
      reader.cursor = Math.max(reader.cursor, head)
      break
    }
    const periods = await periodsOf(caller)
    const unknown = isGuest(caller.user) ? await unknownIn(caller, entries) : none
    for (const entry of entries) {
      reader.user = userAfter(entry, reader.user)
      if (mayRead(queue, entry, reader.user, periods) && passes(entry, reader.user)) {
        const { payload } = entry
        // Clients take an edited message's flags from the event. They differ per reader, so they aren't in the log.
        const flags = payload.type === 'update_message' ? await ownFlags(caller, payload.message_id) : undefined
        const { cursor, user } = reader
        const own = serializeEvent(entry, queue, { cursor, user, unknown, origin: caller.origin }, flags)
        events.push(...own)
        for (const { json } of own) size += json.length
      }
      reader.cursor = entry.id
      if (size >= BATCH_SIZE) break
    }
    // Yields to other work between the pages of a long log.
    if (!remembered) await nextTurn()
  }
  return events
}

async function recalled({ chat, db }: Caller, position: number): Promise<readonly LogEntry[] | undefined> {
  const bus = busOf(chat)
  await bus.recall((upTo) => newestOfLog(db, upTo, RECENT / 4))
  return bus.recent(position, BATCH)
}

const none: ReadonlyMap<number, UnknownPerson> = new Map()

/** Returns which authors in these events are hidden from a guest. */
async function unknownIn(caller: Caller, entries: readonly LogEntry[]): Promise<ReadonlyMap<number, UnknownPerson>> {
  const people = entries.flatMap(({ payload }) => (payload.type === 'message' ? payload.message.sender_id : []))
  const unknown = await unknownAmong(caller, people)
  return new Map([...unknown].map((id) => [id, unknownPerson(publicUrlOf(caller.chat), id)]))
}

function mayRead(queue: Queue, entry: LogEntry, user: User, periods: Periods): boolean {
  if (entry.type === 'heartbeat' || !mayWant(queue.options, entry.type)) return false
  if (isFor(entry.audience, entry.id, user, periods)) return true
  return readsAllPublicStreams(queue.options, user) && isPublicMessage(entry)
}

/** A new role applies from its own event on, even for a poll that began before it. */
function userAfter(entry: LogEntry, user: User): User {
  // Other events need not be parsed for it.
  if (entry.type !== 'realm_user') return user
  const { payload } = entry
  if (payload.type !== 'realm_user' || payload.op !== 'update' || !('role' in payload.person)) return user
  const { user_id, role } = payload.person
  return user_id === user.id ? { ...user, role } : user
}
