import type { ChatEvent } from '../event-log/types/table.ts'

/** An answer whose events are JSON already: the same text serves every reader of an event. */
export class EventsAnswer {
  readonly queue_id: string
  readonly texts: readonly string[]
  constructor(queue_id: string, texts: readonly string[]) {
    this.queue_id = queue_id
    this.texts = texts
  }
  get events(): ChatEvent[] {
    return this.texts.map((text) => JSON.parse(text))
  }
  toJSON() {
    return { events: this.events, queue_id: this.queue_id }
  }
  /** The members of the answer, as JSON without braces. */
  wireMembers(): string {
    return `"events":[${this.texts.join(',')}],"queue_id":${JSON.stringify(this.queue_id)}`
  }
}

/** The events of an answer as JSON: as they were made, where the answer still has that. */
export const eventTexts = (answer: { readonly events: readonly ChatEvent[] }): readonly string[] =>
  answer instanceof EventsAnswer ? answer.texts : answer.events.map((event) => JSON.stringify(event))
