import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, id } from '../../kernel/fields.ts'
import { accessUser } from '../../users/access.ts'
import { accessStreamToRead } from '../access.ts'
import { subscriberIds } from '../subscribers.ts'

/**
 * GET /streams/{stream_id}/members
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of
 */
export const getSubscribers = action(
  {
    name: 'getSubscribers',
    summary: 'Get the subscribers of a stream',
    params: v.object({ stream_id: described(id, 'Id of the stream.') }),
    result: v.strictObject({ subscribers: v.array(id) }),
  },
  async (caller, { stream_id }) => {
    await accessStreamToRead(caller, stream_id)
    return { subscribers: await subscriberIds(caller, stream_id) }
  },
)

/**
 * GET /users/{user_id}/subscriptions/{stream_id}
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of; "No such user"
 */
export const isSubscribed = action(
  {
    name: 'isSubscribed',
    summary: 'Ask whether a user is subscribed to a stream',
    params: v.object({ user_id: described(id, 'Id of the user.'), stream_id: described(id, 'Id of the stream.') }),
    result: v.strictObject({ is_subscribed: v.boolean() }),
  },
  async (caller, { user_id, stream_id }) => {
    await accessUser(caller, user_id)
    await accessStreamToRead(caller, stream_id)
    const row = await caller.db
      .selectFrom('subscription')
      .select('is_active')
      .where('user_id', '=', user_id)
      .where('stream_id', '=', stream_id)
      .executeTakeFirst()
    return { is_subscribed: row?.is_active === 1 }
  },
)
