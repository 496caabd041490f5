import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../storage/tables/index.ts'
import type { Caller } from '../caller.ts'
import { type Gap, gapTable, movedFrom, sentThere, unreadGaps } from './unread-gaps.ts'

/** Conversations under which the caller has something unread. */
export async function conversationsWithUnread(caller: Caller): Promise<number[]> {
  const { db, user } = caller
  const gaps = gapTable(caller, await unreadGaps(caller))
  const rows = await db
    .selectFrom(gaps)
    .select('gap.conversation_id')
    .distinct()
    .where((eb) => {
      const message = eb.selectFrom('message').select('message.id')
      return eb.or([
        eb.exists(message.where((m) => sentThere(m, user.id))),
        eb.exists(message.where((m) => movedFrom(m, user.id))),
      ])
    })
    .execute()
  return rows.map((row) => row.conversation_id)
}

/** The caller's oldest unread message that is not muted: where their home view begins. */
export async function firstUnreadId(caller: Caller): Promise<number | undefined> {
  const { db, user } = caller
  const muted = await mutedBy(caller)
  const gaps = await unreadGaps(caller)
  const there = await db
    .selectFrom(
      gapTable(
        caller,
        gaps.filter((gap) => !muted.wholly(gap)),
      ),
    )
    .select((eb) =>
      firstOf(eb)
        .where((m) => m.and([sentThere(m, user.id), muted.shows(m)]))
        .as('id'),
    )
    .execute()
  const moved = await db
    .selectFrom(gapTable(caller, gaps))
    .select((eb) =>
      firstOf(eb)
        .where((m) => m.and([movedFrom(m, user.id), muted.shows(m)]))
        .as('id'),
    )
    .execute()
  const own = await db
    .selectFrom('message')
    .select('id')
    .where('sender_id', '=', user.id)
    .where('read_by_sender', '=', 0)
    .where((eb) => muted.shows(eb))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const ids = [...there, ...moved, own].map((row) => row?.id).filter((id) => typeof id === 'number')
  return ids.length > 0 ? ids.reduce((a, b) => Math.min(a, b)) : undefined
}

const firstOf = (eb: ExpressionBuilder<Tables & { gap: Gap }, 'gap'>) =>
  eb.selectFrom('message').select('message.id').orderBy('message.id').limit(1)

/** Policies of user_topic. */
const MUTED = 1
const SHOWN = [2, 3]

/** What the caller does not want to see in their home view. */
async function mutedBy(caller: Caller) {
  const { db, user } = caller
  const { idsIn } = caller.chat.store.dialect
  const mutedStreams = await db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', user.id)
    .where('is_muted', '=', 1)
    .execute()
  const policies = await db
    .selectFrom('user_topic')
    .innerJoin('topic', (join) =>
      join.onRef('topic.stream_id', '=', 'user_topic.stream_id').onRef('topic.name_key', '=', 'user_topic.topic_key'),
    )
    .select(['topic.id', 'topic.stream_id', 'user_topic.visibility_policy'])
    .where('user_id', '=', user.id)
    .execute()
  const mutedUsers = await db.selectFrom('muted_user').select('muted_user_id').where('user_id', '=', user.id).execute()
  const streams = new Set(mutedStreams.map((row) => row.stream_id))
  const shown = policies.filter((topic) => SHOWN.includes(topic.visibility_policy) && streams.has(topic.stream_id))
  const hidden = policies.filter((topic) => topic.visibility_policy === MUTED)
  const withShown = new Set(shown.map((topic) => topic.stream_id))
  const list = (ids: Iterable<number>) => idsIn([...ids])
  return {
    /** In a muted stream none of whose topics is shown. */
    wholly: ({ conversation_id }: Gap) => streams.has(conversation_id) && !withShown.has(conversation_id),
    shows: (eb: ExpressionBuilder<Tables, 'message'>) =>
      eb.and([
        eb('message.sender_id', 'not in', list(mutedUsers.map((row) => row.muted_user_id))),
        eb.or([
          eb('message.topic_id', 'is', null),
          eb('message.topic_id', 'in', list(shown.map((topic) => topic.id))),
          eb.and([
            eb('message.conversation_id', 'not in', list(streams)),
            eb('message.topic_id', 'not in', list(hidden.map((topic) => topic.id))),
          ]),
        ]),
      ]),
  }
}
