import type { Audience } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import type { StreamView } from '../shapes/stream.ts'
import { type Stream, viewersOf } from './access.ts'
import { withoutSubscribers } from './subscriber-count.ts'
import { subscriberIds } from './subscribers.ts'
import { forgetTopics } from './user-topics.ts'
import { onlyIds, streamViews } from './view.ts'

/** Members sent with a property, because they change with it. */
const together: Readonly<Partial<Record<keyof StreamView, readonly Companion[]>>> = {
  description: ['rendered_description'],
  invite_only: ['history_public_to_subscribers', 'is_web_public'],
}
type Companion = 'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'

/**
 * Emits what has changed in a stream: each property to users who know of it, and the entire stream to users who
 * didn't.
 */
export async function emitStreamChange(tx: Tx, before: Stream, after: Stream): Promise<void> {
  const [old, view] = (await streamViews(tx, [before, after])) as [StreamView, StreamView]
  const viewersBefore = viewersOf(before)
  const viewersAfter = viewersOf(after)
  if (roleCutoff(viewersAfter) < roleCutoff(viewersBefore)) await emitStreamGone(tx, after, viewersBefore, viewersAfter)
  const sent = new Set<string>()
  // Users who see it only now get its new state.
  const audience = roleCutoff(viewersAfter) < roleCutoff(viewersBefore) ? viewersAfter : viewersBefore
  const differ = (name: keyof StreamView) => JSON.stringify(old[name]) !== JSON.stringify(view[name])
  for (const [property, extras = []] of [
    ...(Object.entries(together) as [keyof StreamView, readonly Companion[]][]),
    ...(Object.keys(view) as (keyof StreamView)[]).map((name) => [name] as const),
  ]) {
    if (sent.has(property) || ![property, ...extras].some(differ)) continue
    for (const name of [property, ...extras]) sent.add(name)
    const values: Partial<Pick<StreamView, Companion>> = Object.fromEntries(extras.map((name) => [name, view[name]]))
    const change = { stream_id: after.id, name: old.name, property, value: view[property], ...values }
    await emit(tx, { type: 'stream', op: 'update', ...change }, audience)
  }
  if (roleCutoff(viewersAfter) > roleCutoff(viewersBefore))
    await announceNew(tx, after, view, viewersBefore, viewersAfter)
}

/** The least powerful role that knows of a stream without being subscribed. */
const roleCutoff = ({ role = 0 }: Audience): number => role

/** Returns the audience that knows of it because of its new privacy and did not before. */
async function newcomers(tx: Tx, stream: Stream, narrow: Audience, wide: Audience): Promise<Audience> {
  const insiders = await tx.db.selectFrom('user').select('id').where('role', '<=', roleCutoff(narrow)).execute()
  const except = new Set([...insiders.map((user) => user.id), ...(await subscriberIds(tx, stream.id))])
  return { role: wide.role ?? roles.guest, except: [...except].sort((a, b) => a - b) }
}

async function announceNew(
  tx: Tx,
  stream: Stream,
  view: StreamView,
  viewersBefore: Audience,
  viewersAfter: Audience,
): Promise<void> {
  const audience = await newcomers(tx, stream, viewersBefore, viewersAfter)
  // A stream that a user left while it was hidden from them counts as never subscribed.
  await tx.db
    .deleteFrom('subscription')
    .where('stream_id', '=', stream.id)
    .where('is_active', '=', 0)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('user')
        .select('id')
        .where('role', '>', roleCutoff(viewersBefore))
        .where('role', '<=', roleCutoff(viewersAfter)),
    )
    .execute()
  await emit(tx, { type: 'stream', op: 'create', streams: [withoutSubscribers(view)] }, audience)
  const user_ids = await subscriberIds(tx, stream.id)
  if (user_ids.length > 0) {
    await emit(tx, { type: 'subscription', op: 'peer_add', stream_ids: [stream.id], user_ids }, audience)
  }
}

async function emitStreamGone(tx: Tx, stream: Stream, viewersBefore: Audience, viewersAfter: Audience): Promise<void> {
  const audience = await newcomers(tx, stream, viewersAfter, viewersBefore)
  const subscribers = new Set(audience.except)
  const gone = await tx.db.selectFrom('user').select('id').where('role', '<=', roleCutoff(viewersBefore)).execute()
  await forgetTopics(
    tx,
    stream.id,
    gone.map((user) => user.id).filter((id) => !subscribers.has(id)),
  )
  const stream_ids = [stream.id]
  await emit(tx, { type: 'stream', op: 'delete', stream_ids, streams: onlyIds(stream_ids) }, audience)
}
