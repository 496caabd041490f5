import { fold, isSet, isUnset, statement } from '../../storage/index.ts'
import { periodsOfUser } from '../events/log/audience.ts'
import { defineCache, defineCacheById } from '../kernel/cache.ts'
import type { Caller, SystemTx } from '../kernel/context.ts'
import { type AccessedStream, canSeeStream, type Stream } from './access.ts'

const byId = statement((db, p: { id: number }) => db.selectFrom('stream').selectAll().where('id', '=', p.id))
const idByName = statement((db, p: { name_key: string }) =>
  db.selectFrom('stream').select('id').where('name_key', '=', p.name_key).where('is_archived', '=', isUnset),
)

const rows = defineCacheById('stream', async (db, id: number) => (await byId(db, { id }))[0])
const ids = defineCacheById('stream-named', async (db, name_key: string) => (await idByName(db, { name_key }))[0]?.id)

const mutedBy = statement((db, p: { user_id: number }) =>
  db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', p.user_id)
    .where('is_active', '=', isSet)
    .where('is_muted', '=', isSet),
)

/** The streams that a user is subscribed to and has muted. */
export const mutedStreams = defineCacheById('muted-streams', async (db, user_id: number) => {
  const muted = await mutedBy(db, { user_id })
  return new Set(muted.map((row) => row.stream_id))
})

/** All streams by name, including archived ones, because each client asks for them when it starts. */
export const allStreams = defineCache(
  'streams',
  (db): Promise<readonly Stream[]> => db.selectFrom('stream').selectAll().orderBy('name_key').execute(),
)

/** Everything that creates a stream or changes its row must call it. */
export function invalidateStream(tx: SystemTx, stream_id: number): void {
  rows.invalidate(tx, stream_id)
  allStreams.invalidate(tx)
}

async function inUseNamed(caller: Caller, name_key: string): Promise<Stream | undefined> {
  const isIt = (stream: Stream | undefined) => stream?.is_archived === 0 && stream.name_key === name_key
  const id = await ids.get(caller, name_key)
  const stream = id === undefined ? undefined : await rows.get(caller, id)
  if (id === undefined || isIt(stream)) return stream
  // It was renamed or archived since, so another stream may have its name.
  const [now] = await idByName(caller.db, { name_key })
  return now && rows.get(caller, now.id)
}

/**
 * Like `findStream` and `findStreamByName`, but from memory and without looking up whether it is muted, because it is
 * called for each message.
 */
export async function findStreamToSendTo(caller: Caller, which: number | string): Promise<AccessedStream | undefined> {
  const stream =
    typeof which === 'number' ? await rows.get(caller, which) : await inUseNamed(caller, fold(which.trim()))
  if (!stream || stream.is_archived) return undefined
  const stays = (await periodsOfUser.get(caller, caller.user.id)).get(stream.id)
  const subscribed = stays?.some((stay) => stay.to_event === Number.POSITIVE_INFINITY) === true
  const accessed = { ...stream, subscribed }
  return canSeeStream(accessed, caller.user) ? accessed : undefined
}
