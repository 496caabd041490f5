import * as v from 'valibot'
import { action } from '../action.ts'
import { badRequest } from '../errors.ts'
import { described, text } from '../fields.ts'
import { streamDescription, streamName } from '../streams/create.ts'
import { subscribe, subscribedResult } from './subscribe.ts'
import { unsubscribe, unsubscribedResult } from './unsubscribe.ts'

/** PATCH /users/me/subscriptions: both directions in one, or neither. */
export const changeSubscriptions = action(
  {
    name: 'changeSubscriptions',
    summary: 'Subscribe to and unsubscribe from streams',
    params: v.object({
      add: described(
        v.nullish(
          v.array(v.object({ name: streamName, description: v.nullish(streamDescription), color: v.nullish(text) })),
          [],
        ),
        'Streams to subscribe to.',
      ),
      delete: described(v.nullish(v.array(text), []), 'Names of streams to unsubscribe from.'),
    }),
    result: v.strictObject({ ...subscribedResult.entries, ...unsubscribedResult.entries }),
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  async (caller, { add, delete: remove }) => {
    if (!add?.length && !remove?.length) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    return caller.write(async (tx) => {
      const added = await subscribe(tx, { subscriptions: add ?? [] })
      const removed = remove?.length
        ? await unsubscribe(tx, { subscriptions: remove })
        : { removed: [], not_removed: [] }
      return { ...added, ...removed }
    })
  },
)
