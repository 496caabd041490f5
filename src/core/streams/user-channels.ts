import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { described, id } from '../kernel/fields.ts'
import { ids } from '../shapes/values.ts'
import { accessUser } from '../users/access.ts'
import { isKnownTo } from './access.ts'

/**
 * GET /users/{user_id}/channels: lists the streams of a user that the caller can see.
 *
 * @throws BAD_REQUEST "No such user"; "Insufficient permission" for a user whom the caller may not know
 * @example
 * const { subscribed_channel_ids } = await getUserChannels(ann, { user_id: 7 })
 */
export const getUserChannels = action(
  {
    name: 'getUserChannels',
    summary: "List a user's channels",
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: v.strictObject({ subscribed_channel_ids: ids }),
  },
  async (caller, { user_id }) => {
    const { id } = await accessUser(caller, user_id)
    const streams = await caller.db
      .selectFrom('subscription as theirs')
      .innerJoin('stream', 'stream.id', 'theirs.stream_id')
      .leftJoin('subscription as own', (join) =>
        join.onRef('own.stream_id', '=', 'stream.id').on('own.user_id', '=', caller.user.id),
      )
      .selectAll('stream')
      .select('own.is_active as subscribed')
      .where('theirs.user_id', '=', id)
      .where('theirs.is_active', '=', 1)
      .orderBy('stream.id')
      .execute()
    const known = streams.filter(({ subscribed, ...stream }) => isKnownTo(stream, caller.user, subscribed === 1))
    return { subscribed_channel_ids: known.map((stream) => stream.id) }
  },
)
