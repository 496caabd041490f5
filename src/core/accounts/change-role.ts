import { observersOf } from '../access/user-visibility.ts'
import { emitOthersBots } from '../bots/profiles/state.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { recordRoleChange } from '../events/log/role-changes.ts'
import { emitSystemGroupChanges } from '../groups/system-groups.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { onBehalfOf, type Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isAdministrator, isGuest, isOwner, isRole, roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { emitStarChanges, starredMessages } from '../read-state/stars.ts'
import type { StreamView } from '../shapes/stream.ts'
import { emitStreamGroupsTo } from '../streams/default-stream-groups.ts'
import { defaultStreamIds } from '../streams/default-streams.ts'
import { listStreams } from '../streams/list.ts'
import { withoutSubscribers } from '../streams/subscriber-count.ts'
import { subscriberIds } from '../streams/subscribers.ts'
import { forgetTopics } from '../streams/user-topics.ts'
import { onlyIds } from '../streams/view.ts'
import { accessUser } from '../users/access.ts'
import { emitAddressesShown } from '../users/email.ts'
import { changeUser } from '../users/people.ts'
import { emitVisibilityChanges, visibleUsersOf } from '../users/visibility-changes.ts'
import { endPasswordLinks, endPasswordLinksBy } from './keys.ts'

/**
 * Changes a user's role. Rejected for the last owner. The caller has checked permissions. Password links that depended
 * on the earlier role end, and a guest's bots become guests, because their keys read what the owner no longer may.
 */
export async function setRole(tx: Tx, user_id: number, role: number): Promise<void> {
  if (!isRole(role)) throw badRequest('Invalid role')
  const user = await accessUser(tx, user_id)
  if (user.role === role) return
  if (isOwner(user)) await requireAnotherOwner(tx, user_id)
  const after: User = { ...user, role }
  const streamsBefore = await streamsKnownTo(tx, user)
  const stars = await starredMessages(tx, user)
  const visible = await visibleUsersOf(tx, [user])
  await changeUser(tx, user_id, { role })
  const changed = await emit(
    tx,
    { type: 'realm_user', op: 'update', person: { user_id, role } },
    await observersOf(tx, user),
  )
  await recordRoleChange(tx, changed, user)
  if (role > user.role) await endPasswordLinksBy(tx, user_id)
  // An administrator may have created the links, and administrators can't set an owner's password.
  if (isOwner(after)) await endPasswordLinks(tx, user_id)
  // Groups list only active users.
  if (user.is_active) await emitSystemGroupChanges(tx, user_id, user, after)
  await emitStreams(tx, after, streamsBefore, await streamsKnownTo(tx, after))
  await emitStarChanges(tx, new Map([[user_id, stars]]), new Map([[user_id, await starredMessages(tx, after)]]))
  if (isAdministrator(user) !== isAdministrator(after)) await emitOthersBots(tx, after)
  await emitAddressesShown(tx, user, after)
  if (isGuest(user) !== isGuest(after)) {
    await emitVisibilityChanges(tx, visible, await visibleUsersOf(tx, [after]))
    const default_streams = isGuest(after) ? [] : await defaultStreamIds(tx)
    await emit(tx, { type: 'default_streams', default_streams }, only(user_id))
    await emitStreamGroupsTo(tx, user_id, isGuest(after))
  }
  if (isGuest(after)) {
    const bots = await tx.db.selectFrom('user').select('id').where('bot_owner_id', '=', user_id).orderBy('id').execute()
    for (const bot of bots) await setRole(tx, bot.id, roles.guest)
  }
}

async function streamsKnownTo(tx: Tx, user: User): Promise<Map<number, StreamView>> {
  const { streams } = await listStreams(onBehalfOf(tx, user), {
    include_all: isAdministrator(user),
    exclude_archived: false,
  })
  return new Map(streams.map((stream) => [stream.stream_id, stream]))
}

/** Sends a user events for the streams that their new role reveals or hides. */
async function emitStreams(
  tx: Tx,
  user: User,
  streamsBefore: Map<number, StreamView>,
  streamsAfter: Map<number, StreamView>,
) {
  const removed = [...streamsBefore.values()].filter((stream) => !streamsAfter.has(stream.stream_id))
  for (const { stream_id } of removed) await forgetTopics(tx, stream_id, [user.id])
  for (const [archived, streams] of groupBy(removed, (stream) => stream.is_archived)) {
    const stream_ids = streams.map((stream) => stream.stream_id)
    const event = { type: 'stream', op: 'delete', stream_ids, streams: onlyIds(stream_ids) } as const
    await emit(tx, archived ? { ...event, were_archived: true } : event, only(user.id))
  }
  const added = [...streamsAfter.values()].filter((stream) => !streamsBefore.has(stream.stream_id))
  if (added.length === 0) return
  // A stream that a user left while it was hidden from them counts as never subscribed.
  await tx.db
    .deleteFrom('subscription')
    .where('user_id', '=', user.id)
    .where('is_active', '=', 0)
    .where('stream_id', 'in', dialectOf(tx.chat).idsIn(added.map((stream) => stream.stream_id)))
    .execute()
  await emit(tx, { type: 'stream', op: 'create', streams: added.map(withoutSubscribers) }, only(user.id))
  for (const { stream_id } of added) {
    const user_ids = await subscriberIds(tx, stream_id)
    if (user_ids.length === 0) continue
    await emit(tx, { type: 'subscription', op: 'peer_add', stream_ids: [stream_id], user_ids }, only(user.id))
  }
}

async function requireAnotherOwner(tx: Tx, user_id: number): Promise<void> {
  const other = await tx.db
    .selectFrom('user')
    .select('id')
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
    .where('id', '!=', user_id)
    .executeTakeFirst()
  if (!other) throw badRequest('The owner permission cannot be removed from the only organization owner.')
}
