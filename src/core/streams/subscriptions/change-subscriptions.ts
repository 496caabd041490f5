import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described } from '../../kernel/fields.ts'
import { checkSubscribing } from './join-streams.ts'
import { STREAMS_AT_FIRST } from './principals.ts'
import { subscribe, subscribedResult } from './subscribe.ts'
import { namedStreams, requestedStreams } from './subscribe-params.ts'
import { prepareLeaving, unsubscribe, unsubscribedResult } from './unsubscribe.ts'

/**
 * PATCH /users/me/subscriptions: subscribes and unsubscribes, both or neither.
 *
 * @throws STREAM_DOES_NOT_EXIST
 * @throws BAD_REQUEST if there is nothing to do, and like `subscribe`
 */
export const changeSubscriptions = action(
  {
    name: 'changeSubscriptions',
    summary: 'Subscribe to and unsubscribe from channels',
    params: v.object({
      add: described(v.nullish(requestedStreams, []), 'Channels to subscribe to.'),
      delete: described(v.nullish(namedStreams, []), 'Names of channels to unsubscribe from.'),
    }),
    result: v.strictObject({ ...subscribedResult.entries, ...unsubscribedResult.entries }),
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  async (caller, { add, delete: remove }) => {
    if (!add.length && !remove.length) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    const joining = { subscriptions: add }
    const leaving = { subscriptions: remove }
    const change = async (each: Caller) => {
      const added = await subscribe(each, joining)
      return { ...added, ...(await unsubscribe(each, leaving)) }
    }
    if (joining.subscriptions.length + leaving.subscriptions.length <= STREAMS_AT_FIRST) return caller.write(change)
    // Too much for one commit: both are checked before either begins.
    await checkSubscribing(caller, joining, [caller.user])
    await prepareLeaving(caller, leaving.subscriptions, [caller.user])
    return change(caller)
  },
)
