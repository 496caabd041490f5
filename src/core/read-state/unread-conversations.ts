import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../storage/index.ts'
import type { Caller } from '../kernel/context.ts'

/**
 * Returns conversations in which the caller may have unread messages: all except those with all messages in one range.
 * A few index steps each, however many messages they have.
 */
export async function conversationsWithUnread({ db, user }: Caller): Promise<number[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('subscription_period')
        .select('stream_id as id')
        .where('user_id', '=', user.id)
        .union(eb.selectFrom('direct_participant').select('conversation_id as id').where('user_id', '=', user.id))
        .as('place'),
    )
    .select('place.id')
    .where((eb) =>
      eb.or([
        hasOutsideRanges(eb, 'conversation_id', user.id),
        hasOutsideRanges(eb, 'origin_id', user.id),
        isCut(eb, user.id),
      ]),
    )
    .execute()
  return rows.map((row) => row.id)
}

type InPlace = ExpressionBuilder<Tables & { place: { id: number } }, 'place'>

const rangesIn = (eb: InPlace, user_id: number) =>
  eb
    .selectFrom('read_range')
    .where('read_range.user_id', '=', user_id)
    .whereRef('read_range.conversation_id', '=', 'place.id')

/** Condition: the conversation has or had messages before the first range or after the last. Two index steps. */
const hasOutsideRanges = (eb: InPlace, place: 'conversation_id' | 'origin_id', user_id: number) => {
  const there = () => eb.selectFrom('message').select('message.id').whereRef(`message.${place}`, '=', 'place.id')
  const end = (which: 'lo' | 'hi', direction: 'asc' | 'desc') =>
    eb.fn.coalesce(
      rangesIn(eb, user_id).select(`read_range.${which}`).orderBy('read_range.lo', direction).limit(1),
      eb.lit(0),
    )
  return eb.or([
    eb.exists(there().where('message.id', '<', end('lo', 'asc'))),
    eb.exists(there().where('message.id', '>', end('hi', 'desc'))),
  ])
}

/** Condition: there are messages between two ranges. */
const isCut = (eb: InPlace, user_id: number) =>
  eb.exists(rangesIn(eb, user_id).select('read_range.lo').orderBy('read_range.lo').limit(1).offset(1))
