import type { Selectable } from 'kysely'
import { type Db, fold, isSet, isUnset, type StreamTable, statement } from '../../storage/index.ts'
import type { Audience } from '../events/log/audience.ts'
import type { Caller } from '../kernel/context.ts'
import { ChatError, invalidStream } from '../kernel/errors.ts'
import { isAdministrator, isGuest, roles } from '../kernel/roles.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'
import { allowsInStream } from './settings.ts'

export type Stream = Selectable<StreamTable>
/** A stream with the caller's subscription to it. */
export interface AccessedStream extends Stream {
  subscribed: boolean
  /** Whether the caller has muted it; missing if that wasn't looked up. */
  muted?: boolean
}

type Reader = Pick<User, 'id' | 'role'>

const seenBy = (db: Db, user_id: number) =>
  db
    .selectFrom('stream')
    .leftJoin('subscription', (join) =>
      join.onRef('subscription.stream_id', '=', 'stream.id').on('subscription.user_id', '=', user_id),
    )
    .selectAll('stream')
    .select(['subscription.is_active as subscribed', 'subscription.is_muted as muted'])
const byId = statement((db, p: { stream_id: number; user_id: number }) =>
  seenBy(db, p.user_id).where('stream.id', '=', p.stream_id),
)
const byName = statement((db, p: { name_key: string; user_id: number }) =>
  seenBy(db, p.user_id).where('stream.name_key', '=', p.name_key).where('stream.is_archived', '=', isUnset),
)
const archivedByName = statement((db, p: { name_key: string; user_id: number }) =>
  seenBy(db, p.user_id)
    .where('stream.name_key', '=', p.name_key)
    .where('stream.is_archived', '=', isSet)
    .orderBy('stream.id', 'desc'),
)

/**
 * Returns whether the user may know that the stream exists. Administrators know of private streams but can't read
 * them.
 */
export const canSeeStream = (stream: AccessedStream, user: Reader): boolean =>
  stream.subscribed || isAdministrator(user) || canReadWithoutSubscribing(stream, user)

/** The same if it is known whether the user is subscribed. */
export const isKnownTo = (stream: Stream, user: Reader, subscribed: boolean): boolean =>
  subscribed || isAdministrator(user) || canReadWithoutSubscribing(stream, user)

/** Returns whether the user may currently read the stream's messages. */
export const canReadStream = (stream: AccessedStream, user: Reader): boolean =>
  stream.subscribed || canReadWithoutSubscribing(stream, user)

const canReadWithoutSubscribing = (stream: Stream, user: Reader): boolean => {
  if (isSpectator(user)) return stream.is_web_public === 1 && stream.is_archived === 0
  return stream.is_web_public === 1 || (stream.invite_only === 0 && !isGuest(user))
}

type Seen = Stream & { subscribed: number | null; muted: number | null }

const seen = (row: Seen | undefined): AccessedStream | undefined =>
  row && { ...row, subscribed: row.subscribed === 1, muted: row.subscribed === 1 && row.muted === 1 }

export async function findStream(caller: Caller, stream_id: number): Promise<AccessedStream | undefined> {
  const stream = await findStreamToRead(caller, stream_id)
  return stream?.is_archived === 0 ? stream : undefined
}

/** Returns a stream to read, archived or not: users who could read a stream still can after it is archived. */
export async function findStreamToRead({ db, user }: Caller, stream_id: number): Promise<AccessedStream | undefined> {
  const stream = seen((await byId(db, { stream_id, user_id: user.id }))[0])
  return stream && canSeeStream(stream, user) ? stream : undefined
}

/** A stream whose messages the caller may read now, archived or not. */
export async function findReadableStream(caller: Caller, stream_id: number): Promise<AccessedStream | undefined> {
  const stream = await findStreamToRead(caller, stream_id)
  return stream && canReadStream(stream, caller.user) ? stream : undefined
}

/** Returns the active stream with this name, or the one with this name that was archived last. */
export async function findStreamToReadByName(caller: Caller, name: string): Promise<AccessedStream | undefined> {
  const inUse = await findStreamByName(caller, name)
  if (inUse) return inUse
  const { db, user } = caller
  const archived = await archivedByName(db, { name_key: fold(name.trim()), user_id: user.id })
  return archived.map((row) => seen(row)!).find((stream) => canSeeStream(stream, user))
}

export async function findStreamByName({ db, user }: Caller, name: string): Promise<AccessedStream | undefined> {
  const stream = seen((await byName(db, { name_key: fold(name.trim()), user_id: user.id }))[0])
  return stream && canSeeStream(stream, user) ? stream : undefined
}

/** Returns the active stream with this key of its name, even a hidden one, for the server's own work. */
export const findStreamToSync = ({ db }: Pick<Caller, 'db'>, name_key: string): Promise<Stream | undefined> =>
  db
    .selectFrom('stream')
    .selectAll()
    .where('name_key', '=', name_key)
    .where('is_archived', '=', isUnset)
    .executeTakeFirst()

/** Returns the stream with this name, even a hidden one, if the caller may join it or add users to it. */
export async function findStreamToJoin(caller: Caller, name: string): Promise<AccessedStream | undefined> {
  const { db, user } = caller
  const stream = seen((await byName(db, { name_key: fold(name.trim()), user_id: user.id }))[0])
  if (!stream || canSeeStream(stream, user)) return stream
  const invited =
    (await allowsInStream(caller, stream, 'can_subscribe_group')) ||
    (await allowsInStream(caller, stream, 'can_add_subscribers_group'))
  return invited ? stream : undefined
}

/** Returns a stream by id. Throws "Invalid stream ID" for unknown and hidden ones alike. */
export async function accessStream(caller: Caller, stream_id: number): Promise<AccessedStream> {
  const stream = await findStream(caller, stream_id)
  if (!stream) throw invalidStream()
  return stream
}

/** The same, archived or not. */
export async function accessStreamToRead(caller: Caller, stream_id: number): Promise<AccessedStream> {
  const stream = await findStreamToRead(caller, stream_id)
  if (!stream) throw invalidStream()
  return stream
}

/** The stream of this name. Throws STREAM_DOES_NOT_EXIST with the name (specification, Errors). */
export async function accessStreamByName(caller: Caller, name: string): Promise<AccessedStream> {
  const stream = await findStreamByName(caller, name)
  if (!stream) throw noStreamNamed(name)
  return stream
}

export const noStreamNamed = (name: string): ChatError =>
  new ChatError('STREAM_DOES_NOT_EXIST', `Stream '${name}' does not exist`, { stream: name })
export const noStreamWithId = (stream_id: number): ChatError =>
  new ChatError('STREAM_DOES_NOT_EXIST', `Stream with ID '${stream_id}' does not exist`, { stream_id })

/** The audience of a stream's existence and changes. */
export function viewersOf(stream: Pick<Stream, 'id' | 'invite_only' | 'is_web_public'>): Audience {
  if (stream.is_web_public) return { role: roles.guest }
  return { role: stream.invite_only ? roles.administrator : roles.member, stream: stream.id }
}

/** A stream that the caller may change. */
export async function accessManagedStream(caller: Caller, stream_id: number): Promise<AccessedStream> {
  return requireManaging(caller, await accessStream(caller, stream_id))
}

/** Returns an archived stream that the caller may unarchive. */
export async function accessManagedArchive(caller: Caller, stream_id: number): Promise<AccessedStream> {
  return requireManaging(caller, await accessStreamToRead(caller, stream_id))
}

export const administersStream = async (caller: Caller, stream: Stream): Promise<boolean> =>
  isAdministrator(caller.user) || (await allowsInStream(caller, stream, 'can_administer_channel_group'))

async function requireManaging(caller: Caller, stream: AccessedStream): Promise<AccessedStream> {
  if (await administersStream(caller, stream)) return stream
  throw new ChatError('CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.')
}
