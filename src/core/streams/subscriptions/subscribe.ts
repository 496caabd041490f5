import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '../../kernel/base/limits.ts'
import type { Caller } from '../../kernel/context.ts'
import { FEW_NOTICES } from '../../messages/notices/direct.ts'
import { joinStreams, sayJoined, sayNew } from './join-streams.ts'
import { requireFewPairs, resolvePrincipals, STREAMS_AT_FIRST } from './principals.ts'
import { subscribeParams } from './subscribe-params.ts'

/** Names of streams by the id of each user. */
const streamsByUser = v.record(v.string(), v.array(v.string()))

export const subscribedResult = v.strictObject({
  subscribed: streamsByUser,
  already_subscribed: streamsByUser,
  /** Streams that the caller may not join; only when `authorization_errors_fatal` is false. */
  unauthorized: v.exactOptional(v.array(v.string())),
  /** Whether people were notified by direct message; present when the request asked for it. */
  new_subscription_messages_sent: v.exactOptional(v.boolean()),
})

/**
 * POST /users/me/subscriptions: subscribes the caller or others. An unknown name creates a stream.
 *
 * @throws BAD_REQUEST without the permission to create, to join or to add others
 * @throws STREAM_DOES_NOT_EXIST
 * @throws SILENCED for a new channel while a moderator has silenced the caller
 * @throws BAD_REQUEST "No such user", and for contradictory properties of a new stream
 * @example
 * await subscribe(caller, { subscriptions: [{ name: 'verona', description: 'Trips' }], principals: [user_id] })
 */
export const subscribe = action(
  {
    name: 'subscribe',
    summary: 'Subscribe to channels',
    audit: {
      subject: 'channel',
      // New channels have a row of their own.
      when: ({ principals }) => principals != null && principals.length > 0,
      details: ({ subscriptions, principals }) => ({
        channels: subscriptions.map(({ name }) => name),
        subscribed: principals,
      }),
    },
    params: subscribeParams,
    result: subscribedResult,
    idempotencyKey: 'several writes',
    errors: ['STREAM_DOES_NOT_EXIST', 'SILENCED'],
  },
  async (caller, requested) => {
    const users = await resolvePrincipals(caller, requested.principals)
    requireFewPairs(requested.subscriptions, users)
    const whole = async (each: Caller) => {
      const joining = await joinStreams(each, requested, users)
      await sayNew(each, joining)
      const { subscribed, already_subscribed, unauthorized } = joining.outcome
      const asked = requested.send_new_subscription_messages ?? true
      const notified = asked && subscribed.size <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
      if (notified) await sayJoined(each, joining)
      return {
        subscribed: Object.fromEntries(subscribed),
        already_subscribed: Object.fromEntries(already_subscribed),
        ...(!requested.authorization_errors_fatal && { unauthorized: [...unauthorized] }),
        ...(asked && { new_subscription_messages_sent: notified }),
      }
    }
    const isSmall = requested.subscriptions.length <= STREAMS_AT_FIRST && users.length <= FEW_NOTICES
    return isSmall ? caller.write(whole) : whole(caller)
  },
)
