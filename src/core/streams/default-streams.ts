import { isUnset } from '../../storage/index.ts'
import { emit } from '../events/log/emit.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import type { Stream } from './access.ts'
import { addSubscribers } from './join.ts'

export async function makeDefaultStream(tx: Tx, stream: Pick<Stream, 'id'>): Promise<void> {
  const added = await tx.db
    .insertInto('default_stream')
    .values({ stream_id: stream.id })
    .onConflict((oc) => oc.doNothing())
    .returning('stream_id')
    .executeTakeFirst()
  if (added) await announce(tx)
}

/** New users cannot be subscribed automatically to a stream that is not public. */
export async function removeFromDefaults(tx: Tx, stream_id: Stream['id']): Promise<void> {
  const removed = await tx.db
    .deleteFrom('default_stream')
    .where('stream_id', '=', stream_id)
    .returning('stream_id')
    .executeTakeFirst()
  if (removed) await announce(tx)
}

const announce = async (tx: Tx): Promise<void> => {
  // Guests see only the streams they are subscribed to, so they do not get the list.
  await emit(tx, { type: 'default_streams', default_streams: await defaultStreamIds(tx) }, { role: roles.member })
}

/** Ids of the default streams, ascending. */
export async function defaultStreamIds({ db }: Pick<Caller, 'db'>): Promise<number[]> {
  const rows = await db
    .selectFrom('default_stream')
    .innerJoin('stream', 'stream.id', 'default_stream.stream_id')
    .select('stream.id')
    .where('stream.is_archived', '=', isUnset)
    .orderBy('stream.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Subscribes new users to the default streams. */
export async function subscribeToDefaults(tx: Tx, users: readonly User[]): Promise<void> {
  const ids = await defaultStreamIds(tx)
  const streams = await tx.db
    .selectFrom('stream')
    .selectAll()
    .where('id', 'in', dialectOf(tx.chat).idsIn(ids))
    .orderBy('id')
    .execute()
  await addSubscribers(tx, streams, users)
}
