import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Caller } from '../../kernel/context.ts'
import { notPermitted } from '../../kernel/errors.ts'
import { described } from '../../kernel/fields.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import { inSlices, isWriting, pacer } from '../../kernel/slices.ts'
import type { User } from '../../kernel/user.ts'
import { readBeforeLeaving } from '../../read-state/after-leaving.ts'
import { type AccessedStream, accessStreamByName } from '../access.ts'
import { removeSubscribers } from '../leave.ts'
import { allowsInStream } from '../settings.ts'
import { peopleAtATime, principals, requireFewPairs, resolvePrincipals, STREAMS_AT_FIRST } from './principals.ts'
import { namedStreams } from './subscribe-params.ts'

/** Names of streams. */
export const unsubscribedResult = v.strictObject({
  removed: v.array(v.string()),
  not_removed: v.array(v.string()),
})

/**
 * DELETE /users/me/subscriptions: unsubscribes the caller or others.
 *
 * @throws STREAM_DOES_NOT_EXIST for a name without a channel, or of a channel that is hidden from the caller
 * @throws BAD_REQUEST without the permission to remove others
 * @throws BAD_REQUEST "No such user"
 * @example
 * await unsubscribe(caller, { subscriptions: ['verona'] })
 */
export const unsubscribe = action(
  {
    name: 'unsubscribe',
    summary: 'Unsubscribe from channels',
    audit: {
      subject: 'channel',
      when: ({ principals }) => principals != null && principals.length > 0,
      details: ({ subscriptions, principals }) => ({ channels: subscriptions, unsubscribed: principals }),
    },
    params: v.object({
      subscriptions: described(namedStreams, 'Names of the channels.'),
      principals: described(v.nullish(principals), 'User IDs or email addresses. Defaults to yourself.'),
    }),
    result: unsubscribedResult,
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  async (caller, { subscriptions, ...requested }) => {
    const users = await resolvePrincipals(caller, requested.principals)
    requireFewPairs(subscriptions, users)
    await prepareLeaving(caller, subscriptions, users)
    const removed = new Set<string>()
    const named = new Set<string>()
    for (const people of peopleAtATime(users)) {
      await inSlices(caller, subscriptions, STREAMS_AT_FIRST, async (tx, slice) => {
        const streams = new Map<number, AccessedStream>()
        for (const name of slice) {
          const stream = await accessToLeave(tx, name, users)
          streams.set(stream.id, stream)
          named.add(stream.name)
        }
        const left = await removeSubscribers(tx, [...streams.values()], people)
        for (const id of left.keys()) removed.add(streams.get(id)!.name)
      })
    }
    return { removed: [...removed], not_removed: [...named].filter((name) => !removed.has(name)) }
  },
)

/**
 * If several writes are needed, checks everything before the first, and marks messages as read that would take too
 * long later.
 */
export async function prepareLeaving(caller: Caller, names: readonly string[], users: readonly User[]): Promise<void> {
  if (isWriting(caller)) return
  const turn = pacer(caller)
  const ids: number[] = []
  for (const name of names) {
    ids.push((await accessToLeave(caller, name, users)).id)
    await turn()
  }
  await readBeforeLeaving(caller, ids, users)
}

async function accessToLeave(caller: Caller, name: string, users: readonly User[]): Promise<AccessedStream> {
  const stream = await accessStreamByName(caller, name)
  const others = users.some((user) => user.id !== caller.user.id && user.bot_owner_id !== caller.user.id)
  if (others && !isAdministrator(caller.user) && !(await mayRemoveOthers(caller, stream))) throw notPermitted()
  return stream
}

const mayRemoveOthers = async (caller: Caller, stream: AccessedStream): Promise<boolean> =>
  (await allowsInStream(caller, stream, 'can_remove_subscribers_group')) ||
  (await allowsInStream(caller, stream, 'can_administer_channel_group'))
