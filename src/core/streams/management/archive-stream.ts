import * as v from 'valibot'
import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id } from '../../kernel/fields.ts'
import { sayArchived, sayUnarchived } from '../../messages/notices/stream-changes.ts'
import { readOnArchiving, readOnLeaving } from '../../read-state/after-leaving.ts'
import { dropHeld } from '../../review/held-rows.ts'
import { putSetting, settingsOf } from '../../settings/organization.ts'
import { organizationSettings, settingNames } from '../../settings/organization-table.ts'
import { empty } from '../../shapes/values.ts'
import { accessManagedArchive, accessManagedStream, type Stream, viewersOf } from '../access.ts'
import { requireFreeStreamName } from '../create.ts'
import { removeFromStreamGroups } from '../default-stream-groups.ts'
import { removeFromDefaults } from '../default-streams.ts'
import { emitAdded } from '../join.ts'
import { invalidateStream } from '../stored.ts'
import { withoutSubscribers } from '../subscriber-count.ts'
import { subscriptionsWithRoles } from '../subscribers.ts'
import { forgetTopics } from '../user-topics.ts'
import { streamViews } from '../view.ts'

/**
 * DELETE /streams/{stream_id}: archives a stream. It is no longer listed and accepts no messages. Users who could read
 * it still can.
 *
 * @throws CANNOT_ADMINISTER_CHANNEL unless the caller administers it
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 * @example
 * await archiveStream(caller, { stream_id })
 */
export const archiveStream = action(
  {
    name: 'archiveStream',
    summary: 'Archive a channel',
    audit: { subject: 'channel', id: ({ stream_id }) => stream_id },
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
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
      // Its subscribers stay and can read its messages. Nothing in it is left unread.
      await readOnLeaving(tx, [stream.id], await subscribedIds(tx, stream.id))
      await readOnArchiving(tx, stream.id)
      await tx.db.updateTable('stream').set({ is_archived: 1 }).where('id', '=', stream.id).execute()
      invalidateStream(tx, stream.id)
      await forgetTopics(tx, stream.id)
      await dropHeld(tx, { conversation_id: stream.id })
      await emitArchived(tx, { ...stream, is_archived: 1 })
      return {}
    }),
)

/** Emits that it was archived or brought back. Clients that do not know of archived streams get that it is gone, or new. */
async function emitArchived(tx: Tx, now: Stream): Promise<void> {
  const [stream] = (await streamViews(tx, [now])).map(withoutSubscribers)
  const change = { property: 'is_archived', value: now.is_archived === 1 } as const
  const event = { type: 'stream', op: 'update', stream_id: now.id, name: now.name, ...change, stream: stream! } as const
  await emit(tx, event, viewersOf(now))
}

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

/** Unarchives a stream, with its subscribers. Throws if its name is taken. */
export async function unarchive(tx: Tx, stream_id: number): Promise<void> {
  const { subscribed: _, muted: __, ...stream } = await accessManagedArchive(tx, stream_id)
  if (stream.is_archived === 0) throw badRequest('Stream is not archived')
  await requireFreeStreamName(tx, stream.name_key, stream.id)
  const back = { ...stream, is_archived: 0 as const }
  await tx.db.updateTable('stream').set({ is_archived: 0 }).where('id', '=', stream_id).execute()
  // To other clients it is a new stream: those who had left it are treated as never subscribed.
  await tx.db.deleteFrom('subscription').where('stream_id', '=', stream_id).where('is_active', '=', 0).execute()
  invalidateStream(tx, stream_id)
  await emitArchived(tx, back)
  const rows = await subscriptionsWithRoles(tx, stream_id)
  if (rows.length > 0) {
    const subscribers = new Map([[stream_id, rows.map((row) => row.user_id)]])
    const users = rows.map(({ user_id: id, role }) => ({ id, role }))
    await emitAdded(tx, [back], users, subscribers, { subscribers, rows })
    const event = { type: 'subscription', op: 'peer_add', stream_ids: [stream_id], was_archived: true } as const
    const user_ids = subscribers.get(stream_id)!
    await emit(tx, { ...event, user_ids }, { ...viewersOf(back), except: user_ids })
  }
  await sayUnarchived(tx, back)
}
