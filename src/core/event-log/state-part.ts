import type { Tx } from '../context.ts'
import type { QueueOptions } from './queues.ts'

/** A piece of register's answer. It runs inside the write that makes the queue, so all pieces show one moment. */
export type StatePart = (tx: Tx, options: QueueOptions) => Promise<object>
