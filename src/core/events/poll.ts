import * as v from 'valibot'
import { action } from '../action.ts'
import type { Caller } from '../caller.ts'
import { seconds } from '../clock.ts'
import { badRequest } from '../errors.ts'
import { bool, integer, text } from '../fields.ts'
import { HEARTBEAT_SECONDS } from '../limits.ts'
import { isFor, loadPeriods, type Periods, periodsKey } from './audience.ts'
import { emit } from './emit.ts'
import { type LogEntry, readLog } from './log.ts'
import { personalize, wants } from './personalize.ts'
import { badQueue, dropQueues, findQueue, isOpen, type Queue } from './queues.ts'

/** Events read from the log at a time, and answered at most. */
const BATCH = 1000

/** An answer whose events are JSON already: the same text serves every reader of an event. */
export class EventsAnswer {
  readonly queue_id: string
  readonly texts: readonly string[]
  constructor(queue_id: string, texts: readonly string[]) {
    this.queue_id = queue_id
    this.texts = texts
  }
  get events(): { id: number; type: string; [member: string]: unknown }[] {
    return this.texts.map((text) => JSON.parse(text))
  }
  /** The members of the answer, as JSON without braces. */
  wireMembers(): string {
    return `"events":[${this.texts.join(',')}],"queue_id":${JSON.stringify(this.queue_id)}`
  }
}

/** GET /events: what happened since `last_event_id`, waiting for something to happen. */
export const getEvents = action(
  {
    summary: 'Get events from an event queue',
    params: v.object({
      queue_id: text,
      last_event_id: v.nullish(integer),
      dont_block: v.nullish(bool, false),
    }),
    errors: ['BAD_EVENT_QUEUE_ID'],
  },
  async (caller, { queue_id, last_event_id, dont_block }) => {
    const queue = await findQueue(caller, queue_id)
    const cursor = acknowledge(caller, queue, last_event_id ?? queue.acked)
    return new EventsAnswer(queue_id, await poll(caller, queue, cursor, dont_block ?? false))
  },
)

/** DELETE /events */
export const deleteQueue = action(
  { summary: 'Delete an event queue', params: v.object({ queue_id: text }), errors: ['BAD_EVENT_QUEUE_ID'] },
  async (caller, { queue_id }) => {
    await findQueue(caller, queue_id)
    await caller.write((tx) => dropQueues(tx, [queue_id]))
    return {}
  },
)

function acknowledge({ chat }: Caller, queue: Queue, last: number): number {
  const head = chat.hub.head()
  if (last > head) throw badRequest(`Event ${last} was not in this queue`)
  const cursor = Math.max(last, queue.start)
  if (cursor > queue.acked) queue.acked = cursor
  queue.lastUsed = seconds(chat.clock)
  queue.saved = false
  return cursor
}

async function poll(caller: Caller, queue: Queue, from: number, dontBlock: boolean): Promise<string[]> {
  const { chat } = caller
  queue.poll?.end()
  const deadline = chat.clock.now() + HEARTBEAT_SECONDS * 1000
  let cursor = from
  for (;;) {
    const found = await read(caller, queue, cursor)
    if (found.texts.length > 0 || dontBlock || chat.hub.closed || caller.signal?.aborted) return found.texts
    cursor = found.position
    if (chat.clock.now() >= deadline) return [await heartbeat(caller, from)]
    if ((await wait(caller, queue, cursor, deadline)) === 'superseded') return []
    if (!isOpen(chat, queue)) throw badQueue(queue.id)
  }
}

/** What of the log after a position this queue gets, and how far that looked. */
async function read(caller: Caller, queue: Queue, cursor: number): Promise<{ texts: string[]; position: number }> {
  const { chat, user, db } = caller
  const texts: string[] = []
  let position = cursor
  for (;;) {
    const entries = chat.hub.recent(position, BATCH) ?? (await readLog(db, position, BATCH))
    if (entries.length === 0) return { texts, position }
    const periods = await periodsOf(caller)
    for (const entry of entries) {
      if (entry.type !== 'heartbeat' && wants(queue, entry) && mayRead(queue, entry, caller, periods)) {
        texts.push(...personalize(entry, queue, user))
      }
      position = entry.id
    }
    if (texts.length >= BATCH || entries.length < BATCH) return { texts, position }
  }
}

const periodsOf = (caller: Caller): Promise<Periods> =>
  caller.memo(periodsKey(caller.user.id), (db) => loadPeriods(db, caller.user.id))

function mayRead(queue: Queue, entry: LogEntry, { user }: Caller, periods: Periods): boolean {
  if (isFor(entry.audience, entry.id, user, periods)) return true
  // Messages of public streams, for the bots that asked to overhear them.
  return queue.options.all_public_streams && entry.payload.is_public_stream === true
}

/** Sleeps until something may have happened for this queue, or a heartbeat is due. */
function wait(caller: Caller, queue: Queue, cursor: number, deadline: number): Promise<'woken' | 'superseded'> {
  const { chat, user, signal } = caller
  const { hub, clock } = chat
  return new Promise((resolve) => {
    const done = (how: 'woken' | 'superseded') => {
      leave()
      cancel()
      signal?.removeEventListener('abort', woken)
      if (queue.poll === me) queue.poll = undefined
      queue.lastUsed = seconds(clock)
      resolve(how)
    }
    const woken = () => done('woken')
    const me = { end: () => done(isOpen(chat, queue) ? 'superseded' : 'woken') }
    let periods: Periods | undefined
    const leave = hub.wait({
      user_id: user.id,
      // A stream's event wakes its subscribers; who they are is looked up once, and a change of it wakes them too.
      wakes: (audience) =>
        audience.role !== undefined ||
        queue.options.all_public_streams ||
        !periods ||
        isFor(audience, Number.MAX_SAFE_INTEGER, user, periods),
      wake: woken,
    })
    const cancel = clock.after(Math.max(0, deadline - clock.now()), woken)
    queue.poll = me
    signal?.addEventListener('abort', woken, { once: true })
    void periodsOf(caller).then((loaded) => {
      periods = loaded
    })
    // Between the last look at the log and now something may have been published.
    if (hub.head() > cursor || hub.closed || signal?.aborted) woken()
  })
}

/**
 * Heartbeats are events of the log, shared by whoever has waited too long, so their ids grow like all others.
 * One is written only if none has been since the poll began.
 */
async function heartbeat(caller: Caller, from: number): Promise<string> {
  const { chat } = caller
  const recent = chat.hub.recent(from, Number.MAX_SAFE_INTEGER) ?? []
  const shared = recent.findLast((entry) => entry.type === 'heartbeat')
  const id = shared?.id ?? (await caller.write((tx) => emit(tx, { type: 'heartbeat' }, { users: [] })))
  return `{"type":"heartbeat","id":${id}}`
}
