import type { FeedEvent } from '../../kernel/answers.ts'
import type { ChatEvent } from '../types/table.ts'

/** A response whose events are JSON already. Every reader of an event shares the same text. */
export class EventsAnswer {
  readonly queue_id: string
  readonly texts: readonly string[]
  constructor(queue_id: string, events: readonly FeedEvent[]) {
    this.queue_id = queue_id
    this.texts = events.map(({ json }) => json)
  }
  get events(): ChatEvent[] {
    return this.texts.map((text) => JSON.parse(text))
  }
  toJSON() {
    return { events: this.events, queue_id: this.queue_id }
  }
  /** The other members of the answer, as JSON without braces. */
  wireMembers(): string {
    return `"events":[${this.texts.join(',')}],"queue_id":${JSON.stringify(this.queue_id)}`
  }
}

/** Returns the events of a response as JSON: the original text, if the response still has it. */
const eventTexts = (answer: { readonly events: readonly ChatEvent[] }): readonly string[] =>
  answer instanceof EventsAnswer ? answer.texts : answer.events.map((event) => JSON.stringify(event))

/** Returns an event without the tokens of outgoing webhooks, which limited keys don't get. */
export function withoutTokens(event: FeedEvent): FeedEvent {
  if (event.type !== 'realm_bot') return event
  const parsed = JSON.parse(event.json) as { bot: { services?: readonly object[] } }
  const services = parsed.bot.services?.map((service) => ({ ...service, token: '' }))
  return services ? { ...event, json: JSON.stringify({ ...parsed, bot: { ...parsed.bot, services } }) } : event
}

/** Returns whether a response has events about bots, which contain the tokens of outgoing webhooks. */
export const hasBotEvents = (answer: { readonly events: readonly ChatEvent[] }): boolean =>
  eventTexts(answer).some((text) => text.includes('"type":"realm_bot"'))
