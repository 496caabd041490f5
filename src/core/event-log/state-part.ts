import type * as v from 'valibot'
import type { Tx } from '../context.ts'
import type { QueueOptions } from './queues.ts'

/** A piece of register's answer. It runs inside the write that makes the queue, so all pieces show one moment. */
export interface StatePart<E extends v.ObjectEntries = v.ObjectEntries> {
  (tx: Tx, options: QueueOptions): Promise<v.InferInput<v.StrictObjectSchema<E, undefined>>>
  /** Its members. */
  readonly entries: E
}

/** A piece of register's answer, with the schemas of its members. */
export const statePart = <E extends v.ObjectEntries>(
  entries: E,
  read: (tx: Tx, options: QueueOptions) => Promise<v.InferInput<v.StrictObjectSchema<E, undefined>>>,
): StatePart<E> => Object.assign(read, { entries })
