import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../storage/index.ts'
import type { Caller } from '../kernel/context.ts'
import { recentConversations } from './recent-conversations.ts'

/**
 * Id of the newest message the caller received or sent, -1 for none. One step in an index for each conversation they
 * were in.
 */
export async function newestReceived(caller: Caller): Promise<number> {
  const { db, user } = caller
  const own = await db
    .selectFrom('message')
    .select('id')
    .where('sender_id', '=', user.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [direct] = await recentConversations(caller)
  const periods = await db
    .selectFrom('subscription_period')
    .select((eb) => [newestIn(eb, 'conversation_id').as('here'), newestIn(eb, 'origin_id').as('moved')])
    .where('user_id', '=', user.id)
    .execute()
  const ids = periods.flatMap(({ here, moved }) => [here ?? -1, moved ?? -1])
  return Math.max(-1, own?.id ?? -1, direct?.max_message_id ?? -1, ...ids)
}

/** The newest message sent in a stream during a subscription period, including those moved away since. */
const newestIn = (eb: ExpressionBuilder<Tables, 'subscription_period'>, place: 'conversation_id' | 'origin_id') => {
  const sent = eb
    .selectFrom('message')
    .select('message.id')
    .whereRef(`message.${place}`, '=', 'subscription_period.stream_id')
    .whereRef('message.id', '>=', 'subscription_period.from_message_id')
    .where((m) =>
      m.or([
        m('subscription_period.to_message_id', 'is', null),
        m('message.id', '<', m.ref('subscription_period.to_message_id')),
      ]),
    )
    .orderBy('message.id', 'desc')
    .limit(1)
  return place === 'conversation_id' ? sent.where('message.origin_id', 'is', null) : sent
}
