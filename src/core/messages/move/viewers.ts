import { type VisibleMessages, visibleMessagesOf } from '../../access/visible-messages.ts'
import type { Tx } from '../../kernel/context.ts'
import { roles } from '../../kernel/roles.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Move } from './move-details.ts'

/** The users that a move to another stream affects one by one, and what each of them could see before. */
export interface Viewers {
  affected: readonly number[]
  before: VisibleMessages
}

/**
 * Returns whether everyone but guests sees the messages before and after the move. An audience then describes them, and
 * a move among 10,000 subscribers doesn't list them in each of its writes.
 */
export const isBetweenPublicStreams = ({ from, to }: Pick<Move, 'from' | 'to'>): boolean =>
  from.stream.invite_only === 0 && to.stream.invite_only === 0

/**
 * Returns who could see the messages before the move, among the users it affects: subscribers of both streams, users
 * with flags, and the senders. Between public streams, only the guests among them.
 */
export async function viewersBeforeMove(tx: Tx, move: Move): Promise<Viewers> {
  const { from, to, moved } = move
  if (from.stream.id === to.stream.id) return { affected: [], before: new Map() }
  const { idsIn } = dialectOf(tx.chat)
  const ids = moved.map((message) => message.id)
  const related = tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', 'in', idsIn([from.stream.id, to.stream.id]))
    .where('is_active', '=', 1)
    .union((eb) => eb.selectFrom('message_flag').select('user_id').where('message_id', 'in', idsIn(ids)))
    .union((eb) => eb.selectFrom('message').select('sender_id as user_id').where('id', 'in', idsIn(ids)))
  const rows = isBetweenPublicStreams(move)
    ? await tx.db
        .selectFrom('user')
        .select('id as user_id')
        .where('role', '>=', roles.guest)
        .where('id', 'in', related)
        .execute()
    : await related.execute()
  const affected = rows.map((row) => row.user_id)
  return { affected, before: await visibleMessagesOf(tx, from.stream, affected, ids) }
}
