import * as v from 'valibot'
import { attachmentShape } from '../../shapes/attachment.ts'
import { id, integer, type ReadonlyDeep } from '../../shapes/values.ts'
import { eventByOp } from './define.ts'
import { messageEvents } from './messages.ts'
import { organizationEvents } from './organization.ts'
import { streamEvents } from './streams.ts'
import { userEvents } from './users.ts'

/** Bytes of all files of the organization. */
const upload_space_used = integer

const fileEvents = {
  /** For the owner of a file. */
  attachment: eventByOp('attachment', {
    add: { attachment: attachmentShape, upload_space_used },
    update: { attachment: attachmentShape, upload_space_used },
    remove: { attachment: v.strictObject({ id }), upload_space_used },
  }),
}

/**
 * Every type of event: its shape in the log, its shape for readers, and how many ids it takes. Types without `logged`
 * are older forms of another type. events/queues/compat.ts decides which client gets which form.
 */
export const eventTypes: EventTypes = {
  ...messageEvents,
  ...streamEvents,
  ...userEvents,
  ...organizationEvents,
  ...fileEvents,
}

type EventTypes = typeof messageEvents &
  typeof streamEvents &
  typeof userEvents &
  typeof organizationEvents &
  typeof fileEvents
export type EventType = keyof EventTypes
/** Types that `emit` accepts. */
export type LoggedType = { [T in EventType]: EventTypes[T] extends { logged: unknown } ? T : never }[EventType]

type LoggedOf<T extends LoggedType> = T extends LoggedType
  ? ReadonlyDeep<v.InferOutput<EventTypes[T]['logged']>>
  : never

/** A logged event, with everything that any reader may need. */
export type LoggedEvent<T extends LoggedType = LoggedType> = LoggedOf<T>

/**
 * An event for a reader. `type` says which, and `op` if a type has several.
 * @example
 * if (event.type === 'message' && event.message.type === 'stream') console.log(event.message.display_recipient)
 */
export type ChatEvent<T extends EventType = EventType> = v.InferOutput<EventTypes[T]['read']>

/** Returns how many ids of the log an event takes. */
export function idCount(event: LoggedEvent): number {
  // TypeScript can't tell that the entry belongs to the event's type.
  const { ids } = eventTypes[event.type] as { ids?: (event: LoggedEvent) => number }
  return ids?.(event) ?? 1
}

/** Returns whether events of this type are transient. */
export const isTransient = (type: LoggedType): boolean => 'transient' in eventTypes[type]

/** Any event for a reader. */
export const chatEvent = v.variant(
  'type',
  Object.values(eventTypes).map(({ read }) => read),
) as v.GenericSchema<ChatEvent>
