/** An answer whose events are JSON already: the same text serves every reader of an event. */
export class EventsAnswer {
  readonly queue_id: string
  readonly texts: readonly string[]
  constructor(queue_id: string, texts: readonly string[]) {
    this.queue_id = queue_id
    this.texts = texts
  }
  get events(): ReaderEvent[] {
    return this.texts.map((text) => JSON.parse(text))
  }
  /** The members of the answer, as JSON without braces. */
  wireMembers(): string {
    return `"events":[${this.texts.join(',')}],"queue_id":${JSON.stringify(this.queue_id)}`
  }
}

/** An event as a reader gets it. */
export interface ReaderEvent {
  readonly id: number
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: an event's members depend on its type.
  readonly [member: string]: any
}
