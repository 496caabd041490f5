import type { LogEntry } from '../log/log.ts'
import type { Queue } from '../log/queues.ts'
import { type EventReader, variantsOf } from './compat.ts'
import { messagePayloads } from './message-payload.ts'
import type { EventVariant } from './variant.ts'

/** Whether the queue was registered for events of this type. */
export const wants = ({ options: { event_types } }: Queue, type: string): boolean =>
  event_types === null || event_types.includes(type)

/**
 * An event as this queue's reader gets it, as JSON: none, one, or several in an older form. Events whose id the
 * reader already has are left out.
 */
export function serializeEvent(
  entry: LogEntry,
  queue: Queue,
  reader: EventReader & { cursor: number },
  flags?: readonly string[],
): string[] {
  const { payload } = entry
  if (payload.type === 'message') return wants(queue, 'message') ? messagePayloads(entry, payload, queue, reader) : []
  const texts: string[] = []
  const own = flags ? `,"flags":${JSON.stringify(flags)}` : ''
  for (const variant of variantsOf(payload, queue.options, reader)) {
    const id = entry.id - variant.idOffset
    if (id > reader.cursor && wants(queue, variant.type)) texts.push(`${shared(entry, variant)}${own},"id":${id}}`)
  }
  return texts
}

/** JSON of a variant without its closing brace, built once for all its readers. */
function shared({ texts }: LogEntry, { variant, make }: EventVariant): string {
  const known = texts.get(variant)
  if (known !== undefined) return known
  const text = JSON.stringify(make()).slice(0, -1)
  texts.set(variant, text)
  return text
}
