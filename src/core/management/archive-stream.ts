import * as v from 'valibot'
import { action } from '../action.ts'
import type { Tx } from '../context.ts'
import { everyone } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { described, id } from '../fields.ts'
import { sayArchived } from '../messages/notices/stream-changes.ts'
import { readOnArchiving } from '../read-state/after-leaving.ts'
import { emitStarChanges, visibleStars } from '../read-state/stars.ts'
import { putSetting, settingsOf } from '../settings/organization.ts'
import { organizationSettings, settingNames } from '../settings/organization-table.ts'
import { empty } from '../shapes/values.ts'
import { accessManagedStream, viewersOf } from '../streams/access.ts'
import { removeFromStreamGroups } from '../streams/default-stream-groups.ts'
import { removeFromDefaults } from '../streams/default-streams.ts'
import { endPeriods } from '../streams/subscription-history.ts'
import { forgetTopics } from '../streams/user-topics.ts'
import { streamViews } from '../streams/view.ts'
import { emitVisibilityChanges, visibleUsersAround } from '../users/visibility-changes.ts'

/**
 * DELETE /streams/{stream_id}: nobody sees it any more; its messages stay stored.
 *
 * @throws CANNOT_ADMINISTER_CHANNEL unless the caller administers it
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of
 * @example
 * await archiveStream(caller, { stream_id })
 */
export const archiveStream = action(
  {
    name: 'archiveStream',
    summary: 'Archive a stream',
    params: v.object({ stream_id: described(id, 'Id of the stream.') }),
    result: empty,
    errors: ['CANNOT_ADMINISTER_CHANNEL'],
  },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      const stream = await accessManagedStream(tx, stream_id)
      await sayArchived(tx, stream)
      await removeFromDefaults(tx, stream.id)
      await removeFromStreamGroups(tx, stream.id)
      await endAnnouncements(tx, stream.id)
      await tx.db.updateTable('stream').set({ is_archived: 1 }).where('id', '=', stream.id).execute()
      await forgetTopics(tx, stream.id)
      const streams = await streamViews(tx, [{ ...stream, is_archived: 1 }])
      await emit(tx, { type: 'stream', op: 'delete', stream_ids: [stream.id], streams }, viewersOf(stream))
      // After the event, whose audience is the subscribers: they are unsubscribed now.
      const stars = await visibleStars(tx, [stream])
      const people = await subscribedIds(tx, stream.id)
      const visible = await visibleUsersAround(tx, people)
      const members = await endSubscriptions(tx, stream.id)
      await endPeriods(tx, new Map([[stream.id, members]]))
      await emitStarChanges(tx, stars, await visibleStars(tx, [stream]))
      await readOnArchiving(tx, stream.id)
      await emitVisibilityChanges(tx, visible, await visibleUsersAround(tx, people))
      return {}
    }),
)

/** An archived stream can no longer be the one for announcements. */
async function endAnnouncements(tx: Tx, stream_id: number): Promise<void> {
  const settings = await settingsOf(tx)
  for (const name of settingNames) {
    if (organizationSettings[name].kind !== 'stream' || settings[name] !== stream_id) continue
    await putSetting(tx, name, -1)
    await emit(tx, { type: 'realm', op: 'update', property: name, value: -1 }, everyone)
  }
}

/** Includes subscribers with deactivated accounts. */
async function subscribedIds({ db }: Tx, stream_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .execute()
  return rows.map((row) => row.user_id)
}

async function endSubscriptions(tx: Tx, stream_id: number): Promise<number[]> {
  const rows = await tx.db
    .updateTable('subscription')
    .set({ is_active: 0 })
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .returning('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
