import { runOn } from '../../src/admin/run-on.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

/** Restores messages that the retention policy deleted. */
export async function undelete({ db, json, stream }: Common & { stream?: string }, io: Io): Promise<void> {
  const done = await runOn(db, 'undelete', stream === undefined ? {} : { stream })
  print(io, json, done, [`restored ${done.restored} messages`])
}
