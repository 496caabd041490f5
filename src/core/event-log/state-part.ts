import type * as v from 'valibot'
import type { Caller } from '../context.ts'
import type { QueueOptions } from './queues.ts'

/** A piece of register's answer. All are read at one moment, which the queue starts at. */
export interface StatePart<E extends v.ObjectEntries = v.ObjectEntries> {
  (reader: Caller, options: QueueOptions): Promise<v.InferInput<v.StrictObjectSchema<E, undefined>>>
  /** Its members. */
  readonly entries: E
}

/** A piece of register's answer, with the schemas of its members. */
export const statePart = <E extends v.ObjectEntries>(
  entries: E,
  read: (reader: Caller, options: QueueOptions) => Promise<v.InferInput<v.StrictObjectSchema<E, undefined>>>,
): StatePart<E> => Object.assign(read, { entries })
