import * as v from 'valibot'
import { allows } from '../access/permissions.ts'
import { action } from '../action.ts'
import { notPermitted } from '../errors.ts'
import { described, text } from '../fields.ts'
import { isAdministrator } from '../roles.ts'
import { accessStreamByName } from '../streams/access.ts'
import { removeSubscribers } from '../streams/join-leave.ts'
import { streamSetting } from '../streams/settings.ts'
import { principals, resolvePrincipals } from './subscribe.ts'

/** Names of streams. */
export const unsubscribedResult = v.strictObject({
  removed: v.array(v.string()),
  not_removed: v.array(v.string()),
})

/** DELETE /users/me/subscriptions */
export const unsubscribe = action(
  {
    name: 'unsubscribe',
    summary: 'Unsubscribe from streams',
    params: v.object({
      subscriptions: described(v.array(text), 'Names of the streams.'),
      principals: described(v.nullish(principals), 'Users by id or e-mail address; yourself unless given.'),
    }),
    result: unsubscribedResult,
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, requested) =>
    caller.write(async (tx) => {
      const users = await resolvePrincipals(tx, requested.principals)
      const removed = new Set<string>()
      const not_removed = new Set<string>()
      for (const name of requested.subscriptions) {
        const stream = await accessStreamByName(tx, name)
        const others = users.some((user) => user.id !== tx.user.id && user.bot_owner_id !== tx.user.id)
        if (others && !isAdministrator(tx.user)) {
          if (!(await allows(tx, streamSetting(stream.settings, 'can_remove_subscribers_group')))) throw notPermitted()
        }
        const gone = await removeSubscribers(
          tx,
          stream,
          users.map((user) => user.id),
        )
        ;(gone.length > 0 ? removed : not_removed).add(stream.name)
      }
      return { removed: [...removed], not_removed: [...not_removed] }
    }),
)
