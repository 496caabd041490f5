import { type ExpressionBuilder, type ExpressionWrapper, expressionBuilder, type SqlBool } from 'kysely'
import { isUnset, type Tables } from '../../storage/index.ts'
import { isGuest } from '../kernel/roles.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'

/** Builds conditions on rows of `message`, for queries that join other tables to it. */
export const messageRow = expressionBuilder<Tables, 'message'>()

/**
 * Returns whether a user can see a message, as a condition on rows of `message`. This is the only place that decides:
 * - Participants can see direct messages.
 * - A stream's messages are visible to its subscribers and to users who could subscribe. With protected history, they
 *   are visible only to users who were subscribed when the message was sent.
 * - People without an account can see messages of active web-public streams.
 */
export function visibleTo(
  eb: ExpressionBuilder<Tables, 'message'>,
  user: Pick<User, 'id' | 'role'>,
): ExpressionWrapper<Tables, 'message', SqlBool> {
  if (isSpectator(user)) return isWebPublic(eb)
  return eb.or([
    isParticipant(eb, user.id),
    eb.exists(
      eb
        .selectFrom('stream')
        .select('stream.id')
        .whereRef('stream.id', '=', 'message.conversation_id')
        .where((s) =>
          s.or([
            s('stream.is_web_public', '=', 1),
            ...(isGuest(user) ? [] : [s('stream.invite_only', '=', 0)]),
            s.exists(
              s
                .selectFrom('subscription')
                .select('subscription.user_id')
                .where('subscription.user_id', '=', user.id)
                .whereRef('subscription.stream_id', '=', 'stream.id')
                .where('subscription.is_active', '=', 1)
                .where((p) =>
                  p.or([
                    p('stream.history_public_to_subscribers', '=', 1),
                    p.exists(
                      p
                        .selectFrom('subscription_period')
                        .select('subscription_period.id')
                        .where('subscription_period.user_id', '=', user.id)
                        .whereRef('subscription_period.stream_id', '=', 'stream.id')
                        .whereRef('subscription_period.from_message_id', '<=', 'message.id')
                        .where((q) =>
                          q.or([
                            q('subscription_period.to_message_id', 'is', null),
                            q('subscription_period.to_message_id', '>', q.ref('message.id')),
                          ]),
                        ),
                    ),
                  ]),
                ),
            ),
          ]),
        ),
    ),
  ])
}

/** A message of an active stream that people without an account may read. */
const isWebPublic = (eb: ExpressionBuilder<Tables, 'message'>) =>
  eb.exists(
    eb
      .selectFrom('stream')
      .select('stream.id')
      .whereRef('stream.id', '=', 'message.conversation_id')
      .where('stream.is_web_public', '=', 1)
      .where('stream.is_archived', '=', isUnset),
  )

/** A message of a direct conversation that includes this user. */
export const isParticipant = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb.and([
    eb('message.topic_id', 'is', null),
    eb.exists(
      eb
        .selectFrom('direct_participant')
        .select('direct_participant.user_id')
        .where('direct_participant.user_id', '=', user_id)
        .whereRef('direct_participant.conversation_id', '=', 'message.conversation_id'),
    ),
  ])
