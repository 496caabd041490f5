import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { isSet, type Tables } from '../../storage/index.ts'
import { isParticipant } from '../access/message-visibility.ts'

/**
 * Whether a message counts as read by a user, as a condition on rows of `message`: for their own by
 * `read_by_sender`, for others by read ranges. Messages they never received, or that are in conversations they have
 * left, count as read.
 */
export function isReadBy(
  eb: ExpressionBuilder<Tables, 'message'>,
  user_id: number,
): ExpressionWrapper<Tables, 'message', SqlBool> {
  return eb.or([
    eb.and([eb('message.sender_id', '=', user_id), eb('message.read_by_sender', '=', isSet)]),
    eb.and([eb('message.sender_id', '!=', user_id), eb.or([inRange(eb, user_id), eb.not(holds(eb, user_id))])]),
  ])
}

/** The conversation under which a message's read state is kept: the one it was sent in. */
const readIn = (eb: ExpressionBuilder<Tables, 'message'>) =>
  eb.fn.coalesce('message.origin_id', 'message.conversation_id').$castTo<number>()

/**
 * In one of the user's ranges. Only the nearest range below can contain it, so this is one step in the index.
 * Without one it is false, not null: its negation must hold.
 */
const inRange = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb(
    eb.fn.coalesce(
      eb
        .selectFrom('read_range')
        .select('read_range.hi')
        .where('read_range.user_id', '=', user_id)
        .where('read_range.conversation_id', '=', readIn(eb))
        .whereRef('read_range.lo', '<=', 'message.id')
        .orderBy('read_range.lo', 'desc')
        .limit(1),
      eb.lit(0),
    ),
    '>=',
    eb.ref('message.id'),
  )

/** The user was in the stream, or is in the direct conversation, when it was sent. */
export function receivedBy(
  eb: ExpressionBuilder<Tables, 'message'>,
  user_id: number,
): ExpressionWrapper<Tables, 'message', SqlBool> {
  return eb.or([
    isParticipant(eb, user_id),
    eb.exists(
      eb
        .selectFrom('subscription_period')
        .select('subscription_period.id')
        .where('subscription_period.user_id', '=', user_id)
        .where('subscription_period.stream_id', '=', readIn(eb))
        .whereRef('subscription_period.from_message_id', '<=', 'message.id')
        .where((p) =>
          p.or([
            p('subscription_period.to_message_id', 'is', null),
            p('subscription_period.to_message_id', '>', p.ref('message.id')),
          ]),
        ),
    ),
  ])
}

/** It may count as unread: received, and in a conversation the user is still in. */
const holds = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.and([receivedBy(eb, user_id), isPresent(eb, user_id)])

/** The user is in the message's present conversation: subscribed to the stream, or a participant. */
export const isPresent = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.or([eb('message.topic_id', 'is', null), isSubscribed(eb, user_id)])

/** The user is subscribed to the message's present stream. */
export const isSubscribed = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.exists(
    eb
      .selectFrom('subscription')
      .select('subscription.user_id')
      .where('subscription.user_id', '=', user_id)
      .whereRef('subscription.stream_id', '=', 'message.conversation_id')
      .where('subscription.is_active', '=', 1),
  )

/** Condition on `message`: unread by this user. */
export const isUnreadBy = (
  eb: ExpressionBuilder<Tables, 'message'>,
  user_id: number,
): ExpressionWrapper<Tables, 'message', SqlBool> => eb.not(isReadBy(eb, user_id))
