import { flag } from '../../storage/index.ts'
import { emit } from '../events/log/emit.ts'
import type { SystemTx } from '../kernel/context.ts'
import { type Stream, viewersOf } from './access.ts'
import { invalidateStream } from './stored.ts'

/** Records whether users have recently written to a stream. */
export async function setRecentlyActive(tx: SystemTx, stream: Stream, value: boolean): Promise<void> {
  const { id: stream_id, name } = stream
  await tx.db
    .updateTable('stream')
    .set({ is_recently_active: flag(value) })
    .where('id', '=', stream_id)
    .execute()
  invalidateStream(tx, stream_id)
  const event = { type: 'stream', op: 'update', stream_id, name, property: 'is_recently_active', value } as const
  await emit(tx, event, viewersOf(stream))
}
