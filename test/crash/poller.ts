import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Person, RETRY_MS } from './client.ts'
import type { Journal } from './journal.ts'

/** How a client polls: waiting, never waiting, or sometimes requesting events again that it has had. */
export type Manner = 'waits' | 'asks' | 'doubts'

export interface Reader {
  person: Person
  manner: Manner
  /** Position of the log where its queue starts. */
  start: number
  /** Ids of the events received. */
  seen: number[]
  /** Events received again although they were acknowledged. */
  repeated: number
  /** The longest that it waited for an answer, in milliseconds. */
  longest: number
  /** Resolves when a message of this topic has been received. */
  reads(topic: string): Promise<void>
}

export const EVENT_TYPES = ['message', 'reaction', 'update_message_flags']

/** Follows one queue across restarts, like a client that stores the ids of its queue and its last event. */
export async function reader(person: Person, manner: Manner, journal: Journal): Promise<Reader> {
  const { answer } = await person.insist('POST', '/register', {
    event_types: EVENT_TYPES,
    queue_lifespan_secs: 86_400,
  })
  const { queue_id, last_event_id } = answer
  let last: number = last_event_id
  const seen: number[] = []
  let topicSeen = ''
  const self: Reader = {
    person,
    manner,
    start: last_event_id,
    seen,
    repeated: 0,
    longest: 0,
    async reads(topic) {
      let recovering = false
      let turns = 0
      while (topicSeen !== topic) {
        if (manner === 'doubts' && ++turns % 10 === 0) await doubt()
        const dont_block = recovering || manner === 'asks'
        const asked = performance.now()
        const polled = await person.ask('GET', '/events', { queue_id, last_event_id: last, dont_block })
        self.longest = Math.max(self.longest, performance.now() - asked)
        recovering = polled === undefined
        if (polled) take(polled)
        if (recovering || manner === 'asks') await sleep(RETRY_MS)
      }
    },
  }
  return self

  function take(polled: Answer): void {
    if (polled.result !== 'success') journal.complain(`${manner}: a poll was refused: ${polled.msg}`)
    for (const event of polled.events ?? []) {
      if (event.id <= last) self.repeated++
      last = event.id
      if (event.type === 'heartbeat') continue
      seen.push(event.id)
      if (event.type === 'message') topicSeen = event.message.subject
    }
  }

  /** Polling with an older id gives the same events again. */
  async function doubt(): Promise<void> {
    const had = seen.slice(-3)
    const params = { queue_id, last_event_id: had[0] ? had[0] - 1 : self.start, dont_block: true }
    const again = await person.ask('GET', '/events', params)
    if (!again) return
    const ids = (again.events ?? []).slice(0, had.length).map((event: { id: number }) => event.id)
    if (ids.join() !== had.join()) journal.complain(`asked again: ${again.msg} ${ids}`)
  }
}
