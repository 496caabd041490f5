import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { readOnLeaving } from '../read-state/after-leaving.ts'
import { emitStarChanges, visibleStars } from '../read-state/stars.ts'
import { emitVisibilityChanges, visibleUsersAround } from '../users/visibility-changes.ts'
import type { Stream } from './access.ts'
import { emitPeers } from './peer-events.ts'
import { countSubscribers } from './subscriber-count.ts'
import { type ByStream, groupBySubscribers, isPairOf, outsidersOf, subscribersAmongAll } from './subscribers.ts'
import { endPeriods } from './subscription-history.ts'
import { forgetTopics } from './user-topics.ts'
import { onlyIds } from './view.ts'

/** Ends the users' subscriptions to these streams. Returns the former subscribers by stream. */
export async function removeSubscribers(tx: Tx, streams: readonly Stream[], users: readonly User[]): Promise<ByStream> {
  const removed = await subscribersAmongAll(
    tx,
    streams.map((stream) => stream.id),
    users.map((user) => user.id),
  )
  if (removed.size === 0) return removed
  const groups = groupBySubscribers(streams, removed)
  for (const group of groups) {
    const ids = group.streams.map((stream) => stream.id)
    await readOnLeaving(tx, ids, group.user_ids)
  }
  const leaving = { users: [...new Set([...removed.values()].flat())] }
  const stars = await visibleStars(tx, streams, leaving)
  const visible = await visibleUsersAround(tx, leaving.users)
  await deactivate(tx, removed)
  await countSubscribers(tx, streams, activeBy(removed, users))
  // Emitted before they leave, so that it is the last event of these streams they get.
  for (const group of groups) {
    const subscriptions = group.streams.map(({ id: stream_id, name }) => ({ stream_id, name }))
    await emit(tx, { type: 'subscription', op: 'remove', subscriptions }, only(...group.user_ids))
  }
  await endPeriods(tx, removed)
  await emitGone(tx, streams, outsidersOf(streams, users, removed))
  await emitPeers(tx, 'peer_remove', streams, removed)
  await emitStarChanges(tx, stars, await visibleStars(tx, streams, leaving))
  await emitVisibilityChanges(tx, visible, await visibleUsersAround(tx, leaving.users))
  return removed
}

/** How many fewer active subscribers each stream has. */
function activeBy(removed: ByStream, users: readonly User[]): Map<number, number> {
  const active = new Set(users.filter((user) => user.is_active).map((user) => user.id))
  return new Map([...removed].map(([id, user_ids]) => [id, -user_ids.filter((user) => active.has(user)).length]))
}

async function deactivate(tx: Tx, removed: ByStream): Promise<void> {
  await tx.db.updateTable('subscription').set({ is_active: 0 }).where(isPairOf(tx, removed)).execute()
}

/** Users who can no longer see the streams also lose their visibility policies for the topics. */
async function emitGone(tx: Tx, streams: readonly Stream[], outsiders: ByStream): Promise<void> {
  for (const group of groupBySubscribers(streams, outsiders)) {
    const stream_ids = group.streams.map((stream) => stream.id)
    for (const id of stream_ids) await forgetTopics(tx, id, group.user_ids)
    await emit(tx, { type: 'stream', op: 'delete', stream_ids, streams: onlyIds(stream_ids) }, only(...group.user_ids))
  }
}
