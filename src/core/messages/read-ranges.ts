import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Db } from '../../storage/connection.ts'
import type { Tables } from '../../storage/tables/index.ts'
import type { Tx } from '../caller.ts'

/** An inclusive range of message ids. */
export interface Range {
  lo: number
  hi: number
}

/**
 * Whether a message counts as read by a user, as a condition on rows of `message`. Their own by a mark on the message;
 * others' by range; what they never received is read by definition.
 */
export function isReadBy(eb: ExpressionBuilder<Tables, 'message'>, user_id: number): ExpressionWrapper<Tables, "message", SqlBool> {
  return eb.or([
    eb.and([eb('message.sender_id', '=', user_id), eb('message.read_by_sender', '=', 1)]),
    eb.and([
      eb('message.sender_id', '!=', user_id),
      eb.or([inRange(eb, user_id), eb.not(receivedBy(eb, user_id))]),
    ]),
  ])
}

/** In one of the user's ranges. Only the nearest range below can hold it, so this is one step in the index. */
const inRange = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number) =>
  eb(
    eb
      .selectFrom('read_range')
      .select('read_range.hi')
      .where('read_range.user_id', '=', user_id)
      .whereRef('read_range.conversation_id', '=', 'message.conversation_id')
      .whereRef('read_range.lo', '<=', 'message.id')
      .orderBy('read_range.lo', 'desc')
      .limit(1),
    '>=',
    eb.ref('message.id'),
  )

/** Was a member when it was sent: of the stream, or of the direct conversation. */
export function receivedBy(eb: ExpressionBuilder<Tables, 'message'>, user_id: number): ExpressionWrapper<Tables, "message", SqlBool> {
  return eb.or([
    eb.and([
      eb('message.topic_id', 'is', null),
      eb.exists(
        eb
          .selectFrom('direct_participant')
          .select('direct_participant.user_id')
          .where('direct_participant.user_id', '=', user_id)
          .whereRef('direct_participant.conversation_id', '=', 'message.conversation_id'),
      ),
    ]),
    eb.exists(
      eb
        .selectFrom('subscription_period')
        .select('subscription_period.id')
        .where('subscription_period.user_id', '=', user_id)
        .whereRef('subscription_period.stream_id', '=', 'message.conversation_id')
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

export async function rangesOf(db: Db, user_id: number, conversation_id: number): Promise<Range[]> {
  return db
    .selectFrom('read_range')
    .select(['lo', 'hi'])
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .orderBy('lo')
    .execute()
}

/** Everything in a range becomes read; the ranges it meets become one with it. */
export async function addRange(tx: Tx, user_id: number, conversation_id: number, range: Range): Promise<void> {
  const met = await tx.db
    .deleteFrom('read_range')
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .where('lo', '<=', range.hi + 1)
    .where('hi', '>=', range.lo - 1)
    .returning(['lo', 'hi'])
    .execute()
  const lo = Math.min(range.lo, ...met.map((r) => r.lo))
  const hi = Math.max(range.hi, ...met.map((r) => r.hi))
  await tx.db.insertInto('read_range').values({ user_id, conversation_id, lo, hi }).execute()
}

/** Everything in a range becomes unread; a range that reaches beyond it is cut, in two if need be. */
export async function removeRange(tx: Tx, user_id: number, conversation_id: number, range: Range): Promise<void> {
  const met = await tx.db
    .deleteFrom('read_range')
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .where('lo', '<=', range.hi)
    .where('hi', '>=', range.lo)
    .returning(['lo', 'hi'])
    .execute()
  const left = met.flatMap(({ lo, hi }) => [
    ...(lo < range.lo ? [{ lo, hi: range.lo - 1 }] : []),
    ...(hi > range.hi ? [{ lo: range.hi + 1, hi }] : []),
  ])
  for (const rest of left) await tx.db.insertInto('read_range').values({ user_id, conversation_id, ...rest }).execute()
}

/** Condition on `message`: unread by this user. */
export const isUnreadBy = (eb: ExpressionBuilder<Tables, 'message'>, user_id: number): ExpressionWrapper<Tables, "message", SqlBool> =>
  eb.not(isReadBy(eb, user_id))

