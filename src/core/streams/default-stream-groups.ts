import * as v from 'valibot'
import type { Db } from '../../storage/index.ts'
import { emit } from '../events/log/emit.ts'
import { statePart } from '../events/log/state-part.ts'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { isGuest, roles } from '../kernel/roles.ts'
import { type StreamGroupView, streamGroupShape } from '../shapes/stream.ts'

/** Returns the groups of streams for new users, oldest first. */
export async function streamGroupsOf(db: Db): Promise<StreamGroupView[]> {
  const rows = await db.selectFrom('default_stream_group').selectAll().orderBy('id').execute()
  return rows.map(({ stream_ids, ...group }) => ({ ...group, streams: JSON.parse(stream_ids) }))
}

/** The groups in register's response. Guests get none, because they see only their own streams. */
export const streamGroupState = statePart(
  { realm_default_stream_groups: v.array(streamGroupShape) },
  async ({ db, user }) => ({ realm_default_stream_groups: isGuest(user) ? [] : await streamGroupsOf(db) }),
)

/** Announces the groups to everyone except guests. */
export async function emitStreamGroups(tx: Tx): Promise<void> {
  const event = { type: 'default_stream_groups', default_stream_groups: await streamGroupsOf(tx.db) } as const
  await emit(tx, event, { role: roles.member })
}

export const setGroupStreams = (tx: Tx, id: number, streams: readonly number[]) =>
  tx.db
    .updateTable('default_stream_group')
    .set({ stream_ids: JSON.stringify(uniqueSorted(streams)) })
    .where('id', '=', id)
    .execute()

/** Removes a stream that was archived or became private from all groups. */
export async function removeFromStreamGroups(tx: Tx, stream_id: number): Promise<void> {
  const groups = (await streamGroupsOf(tx.db)).filter((group) => group.streams.includes(stream_id))
  if (groups.length === 0) return
  for (const { id, streams } of groups)
    await setGroupStreams(
      tx,
      id,
      streams.filter((one) => one !== stream_id),
    )
  await emitStreamGroups(tx)
}

/** Emits the groups to a user who became a guest or is no longer one. */
export async function emitStreamGroupsTo(tx: Tx, user_id: number, isNowGuest: boolean): Promise<void> {
  const default_stream_groups = isNowGuest ? [] : await streamGroupsOf(tx.db)
  await emit(tx, { type: 'default_stream_groups', default_stream_groups }, { users: [user_id] })
}
