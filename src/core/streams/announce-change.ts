import type { Tx } from '../context.ts'
import type { Audience } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { roles } from '../roles.ts'
import type { StreamView } from '../shapes/stream.ts'
import { type Stream, viewersOf } from './access.ts'
import { subscriberIds } from './subscribers.ts'
import { forgetTopics } from './user-topics.ts'
import { streamViews } from './view.ts'

/** What travels with a property, because it changes with it. */
const together: Readonly<Partial<Record<keyof StreamView, readonly Companion[]>>> = {
  description: ['rendered_description'],
  invite_only: ['history_public_to_subscribers', 'is_web_public'],
}
type Companion = 'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'

/** Tells what is different about a stream: each property to those who know it, and the stream to those who did not. */
export async function emitStreamChange(tx: Tx, before: Stream, after: Stream): Promise<void> {
  const [old, view] = (await streamViews(tx, [before, after])) as [StreamView, StreamView]
  const knew = viewersOf(before)
  const know = viewersOf(after)
  if (sees(know) < sees(knew)) await emitStreamGone(tx, after, view, knew, know)
  const said = new Set<string>()
  // Those who hear of it only now are given it as it is.
  const told = sees(know) < sees(knew) ? know : knew
  const differ = (name: keyof StreamView) => JSON.stringify(old[name]) !== JSON.stringify(view[name])
  for (const [property, extras = []] of [
    ...(Object.entries(together) as [keyof StreamView, readonly Companion[]][]),
    ...(Object.keys(view) as (keyof StreamView)[]).map((name) => [name] as const),
  ]) {
    if (said.has(property) || ![property, ...extras].some(differ)) continue
    for (const name of [property, ...extras]) said.add(name)
    const values: Partial<Pick<StreamView, Companion>> = Object.fromEntries(extras.map((name) => [name, view[name]]))
    const change = { stream_id: after.id, name: old.name, property, value: view[property], ...values }
    await emit(tx, { type: 'stream', op: 'update', ...change }, told)
  }
  if (sees(know) > sees(knew)) await announceNew(tx, after, view, knew, know)
}

/** How far down a stream is known by role alone. */
const sees = ({ role = 0 }: Audience): number => role

/** To those who know of it by its new privacy and did not before. */
async function newcomers(tx: Tx, stream: Stream, narrow: Audience, wide: Audience): Promise<Audience> {
  const insiders = await tx.db.selectFrom('user').select('id').where('role', '<=', sees(narrow)).execute()
  const except = new Set([...insiders.map((user) => user.id), ...(await subscriberIds(tx, stream.id))])
  return { role: wide.role ?? roles.guest, except: [...except].sort((a, b) => a - b) }
}

async function announceNew(tx: Tx, stream: Stream, view: StreamView, knew: Audience, know: Audience): Promise<void> {
  const audience = await newcomers(tx, stream, knew, know)
  // Whoever left it when they could not see it meets it anew.
  await tx.db
    .deleteFrom('subscription')
    .where('stream_id', '=', stream.id)
    .where('is_active', '=', 0)
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('user').select('id').where('role', '>', sees(knew)).where('role', '<=', sees(know)),
    )
    .execute()
  await emit(tx, { type: 'stream', op: 'create', streams: [view] }, audience)
  const user_ids = await subscriberIds(tx, stream.id)
  if (user_ids.length > 0) {
    await emit(tx, { type: 'subscription', op: 'peer_add', stream_ids: [stream.id], user_ids }, audience)
  }
}

async function emitStreamGone(tx: Tx, stream: Stream, view: StreamView, knew: Audience, know: Audience): Promise<void> {
  const audience = await newcomers(tx, stream, know, knew)
  const subscribers = new Set(audience.except)
  const gone = await tx.db.selectFrom('user').select('id').where('role', '<=', sees(knew)).execute()
  await forgetTopics(
    tx,
    stream.id,
    gone.map((user) => user.id).filter((id) => !subscribers.has(id)),
  )
  await emit(tx, { type: 'stream', op: 'delete', stream_ids: [stream.id], streams: [view] }, audience)
}
