import type { Caller } from '../context.ts'
import { gapTable, movedFrom, present, sentThere, unreadGaps } from './unread-gaps.ts'

/** Conversations under which the caller has something unread. */
export async function conversationsWithUnread(caller: Caller): Promise<number[]> {
  const { db, user } = caller
  const gaps = await unreadGaps(caller)
  const there = await db
    .selectFrom(gapTable(caller, present(gaps)))
    .select('gap.conversation_id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('message')
          .select('message.id')
          .where((m) => sentThere(m, user.id)),
      ),
    )
    .execute()
  const moved = await db
    .selectFrom(gapTable(caller, gaps))
    .select('gap.conversation_id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('message')
          .select('message.id')
          .where((m) => movedFrom(m, user.id)),
      ),
    )
    .execute()
  return [...new Set([...there, ...moved].map((row) => row.conversation_id))]
}
