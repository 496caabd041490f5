import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import { isSet, isUnset, type Tables } from '../../storage/index.ts'
import { isParticipant } from '../access/message-visibility.ts'
import { KEPT_UNREAD } from './flag-bits.ts'

/**
 * Returns whether a user has read a message, as a condition on rows of `message`: their own by `read_by_sender`,
 * others by read ranges. Messages they never received, or in conversations they have left, count as read.
 */
export function isReadBy(
  eb: ExpressionBuilder<Tables, 'message'>,
  user_id: number,
): ExpressionWrapper<Tables, 'message', SqlBool> {
  return eb.or([
    eb.and([eb('message.sender_id', '=', user_id), eb('message.read_by_sender', '=', isSet)]),
    eb.and([
      eb('message.sender_id', '!=', user_id),
      eb.or([inRange(eb, user_id), eb.not(startsUnread(eb, user_id)), eb.not(holds(eb, user_id))]),
    ]),
  ])
}

/**
 * Whether a message starts as unread for a user: most do for everyone, notices that start as read only for some. A user
 * who marks such a notice as unread is one of these afterwards.
 */
export const startsUnread = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.or([
    eb('message.starts_read', '=', isUnset),
    eb.exists(
      eb
        .selectFrom('message_flag')
        .select('message_flag.user_id')
        .where('message_flag.user_id', '=', user_id)
        .whereRef('message_flag.message_id', '=', 'message.id')
        .where(sql<number>`message_flag.flags & ${sql.lit(KEPT_UNREAD)}`, '!=', 0),
    ),
  ])

/** The conversation of a message's read state: the one it was sent in. */
const readIn = (eb: ExpressionBuilder<Tables, 'message'>) =>
  eb.fn.coalesce('message.origin_id', 'message.conversation_id').$castTo<number>()

/**
 * In one of the user's ranges. Only the nearest range below can contain it, so this is one step in the index. It is
 * false instead of null without one, so that it can be negated.
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

/** The user was subscribed to the stream, or is in the direct conversation, when the message was sent. */
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

/** Can be unread: received, and in a conversation the user is still in. */
const holds = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.and([receivedBy(eb, user_id), isPresent(eb, user_id)])

/** The user is in the message's current conversation: subscribed to the stream, or a participant. */
export const isPresent = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.or([eb('message.topic_id', 'is', null), isSubscribed(eb, user_id)])

/** The user is subscribed to the message's current stream. */
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
