import { after, fold, isSet, isUnset, type Soon, statement } from '../../storage/index.ts'
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

const inUseNamed = (caller: Caller, name_key: string): Soon<Stream | undefined> =>
  after(ids.get(caller, name_key), (id) => {
    if (id === undefined) return undefined
    return after(rows.get(caller, id), (stream) =>
      stream?.is_archived === 0 && stream.name_key === name_key ? stream : nowNamed(caller, name_key),
    )
  })

async function nowNamed(caller: Caller, name_key: string): Promise<Stream | undefined> {
  // It was renamed or archived since, so another stream may have its name.
  const [now] = await idByName(caller.db, { name_key })
  return now && rows.get(caller, now.id)
}

/**
 * Like `findStream` and `findStreamByName`, but from memory and without looking up whether it is muted, because it is
 * called for each message.
 */
export const findStreamToSendTo = (caller: Caller, which: number | string): Soon<AccessedStream | undefined> =>
  after(typeof which === 'number' ? rows.get(caller, which) : inUseNamed(caller, fold(which.trim())), (stream) => {
    if (!stream || stream.is_archived) return undefined
    return after(periodsOfUser.get(caller, caller.user.id), (periods) => {
      const subscribed = periods.get(stream.id)?.some((stay) => stay.to_event === Number.POSITIVE_INFINITY) === true
      const accessed = { ...stream, subscribed }
      return canSeeStream(accessed, caller.user) ? accessed : undefined
    })
  })
