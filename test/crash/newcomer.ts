import type { Person } from './client.ts'
import type { Journal } from './journal.ts'

/** A short session: the newest message according to register, and the messages received. */
export interface Visit {
  person: Person
  newest: number
  seen: number[]
}

/** Registers repeatedly, each time for a few polls, across restarts too. */
export async function visitUntilOver(person: Person, journal: Journal, isOver: () => boolean): Promise<Visit[]> {
  const visits: Visit[] = []
  while (!isOver()) {
    const registered = await person.insist('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: ['message'],
      // The queue of a lost answer expires by itself.
      queue_lifespan_secs: 20,
    })
    const { queue_id, max_message_id } = registered.answer
    if (!queue_id) {
      journal.complain(`register was refused: ${registered.answer.msg}`)
      return visits
    }
    let last_event_id = registered.answer.last_event_id
    const visit: Visit = { person, newest: max_message_id, seen: [] }
    for (let polls = 0; polls < 5 && !isOver(); polls++) {
      const { answer } = await person.insist('GET', '/events', { queue_id, last_event_id, dont_block: polls % 2 === 0 })
      if (answer.result !== 'success') journal.complain(`a visitor's poll was refused: ${answer.msg}`)
      for (const event of answer.events ?? []) {
        last_event_id = event.id
        if (event.type === 'message') visit.seen.push(event.message.id)
      }
    }
    await person.insist('DELETE', '/events', { queue_id })
    visits.push(visit)
  }
  return visits
}
