import type * as v from 'valibot'
import type { WithKept } from '../../kernel/base/kept-json.ts'
import type { Caller } from '../../kernel/context.ts'
import { isSpectator } from '../../kernel/spectator.ts'
import type { QueueOptions } from './queues.ts'

/** The members' types when they are read. */
type Read<E extends v.ObjectEntries> = WithKept<v.InferInput<v.StrictObjectSchema<E, undefined>>>

/** A part of register's state. All parts are read at one point in time, where the queue starts. */
export interface StatePart<E extends v.ObjectEntries = v.ObjectEntries> {
  (reader: Caller, options: QueueOptions): Promise<Read<E>>
  /** Its members. */
  readonly entries: E
}

/** A part of register's state, with the schemas of its members. */
export const statePart = <E extends v.ObjectEntries>(
  entries: E,
  read: (reader: Caller, options: QueueOptions) => Promise<Read<E>>,
): StatePart<E> => Object.assign(read, { entries })

/** Returns the same part for readers with an account. Others get `instead`. */
export const withAccount = <E extends v.ObjectEntries>(
  part: StatePart<E>,
  otherwise: v.InferInput<v.StrictObjectSchema<E, undefined>>,
): StatePart<E> =>
  statePart(part.entries, async (reader, options) => (isSpectator(reader.user) ? otherwise : part(reader, options)))
