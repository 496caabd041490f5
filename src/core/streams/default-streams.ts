import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { empty } from '../shapes/values.ts'
import { accessStream, type Stream } from './access.ts'
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

/** Removes a stream that isn't public, because new users can't be subscribed to it automatically. */
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

/**
 * POST /default_streams: subscribes new users to this stream in the future. Repeating it changes nothing.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream; also for a private one
 */
export const addDefaultStream = action(
  {
    name: 'addDefaultStream',
    summary: 'Add a default channel',
    audit: { subject: 'default_channels' },
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      const stream = await accessStream(tx, stream_id)
      if (stream.invite_only) throw badRequest('Private streams cannot be made default.')
      await makeDefaultStream(tx, stream)
      return {}
    }),
)

/**
 * DELETE /default_streams: stops subscribing new users to this stream.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const removeDefaultStream = action(
  {
    name: 'removeDefaultStream',
    summary: 'Remove a default channel',
    audit: { subject: 'default_channels' },
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      await removeFromDefaults(tx, stream_id)
      return {}
    }),
)
