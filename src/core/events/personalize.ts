import type { User } from '../caller.ts'
import { messageTexts } from '../messages/event-text.ts'
import type { LogEntry } from './log.ts'
import type { Queue } from './queues.ts'

/** Whether the queue was registered for this kind of event. */
export function wants(queue: Queue, entry: LogEntry): boolean {
  const { event_types } = queue.options
  return event_types === null || event_types.includes(entry.type)
}

/** An event as this queue's reader gets it, as JSON: none, one, or several for readers of an older form. */
export function personalize(entry: LogEntry, queue: Queue, user: User): string[] {
  if (entry.type === 'message') return messageTexts(entry, queue, user)
  return [`${shared(entry, '', () => entry.payload)},"id":${entry.id}}`]
}

/** JSON of a variant without its closing brace, made once for all readers. */
export function shared(entry: LogEntry, variant: string, make: () => object): string {
  const known = entry.texts.get(variant)
  if (known) return known
  const text = JSON.stringify(make()).slice(0, -1)
  entry.texts.set(variant, text)
  return text
}
