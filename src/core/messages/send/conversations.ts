import { statement } from '../../../storage/index.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { emitVisibilityChanges, visibleUsersAround } from '../../users/visibility-changes.ts'

const conversationOf = statement((db, p: { key: string }) =>
  db.selectFrom('conversation').select('id').where('participant_key', '=', p.key),
)

export const participantKey = (user_ids: readonly number[]): string => [...user_ids].sort((a, b) => a - b).join(',')

export async function findConversation(
  caller: Pick<Caller, 'db'>,
  user_ids: readonly number[],
): Promise<number | undefined> {
  const [row] = await conversationOf(caller.db, { key: participantKey(user_ids) })
  return row?.id
}

/** Returns the direct conversation of these users, which is created with their first message. */
export async function conversationFor(tx: Tx, people: readonly User[]): Promise<number> {
  const user_ids = people.map((user) => user.id)
  const known = await findConversation(tx, user_ids)
  if (known) return known
  const visible = await visibleUsersAround(tx, user_ids)
  const { id } = await tx.db
    .insertInto('conversation')
    .values({ kind: 'direct', participant_key: participantKey(user_ids) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('direct_participant')
    .values(user_ids.map((user_id) => ({ user_id, conversation_id: id })))
    .execute()
  await emitVisibilityChanges(tx, visible, await visibleUsersAround(tx, user_ids))
  return id
}
