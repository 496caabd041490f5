import { fold } from '../../../storage/index.ts'
import { visibleMessagesOf } from '../../access/visible-messages.ts'
import { onBehalfOf, type Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { setVisibility, type Visibility, visibility } from '../../streams/user-topics.ts'
import { findUsers } from '../../users/access.ts'
import type { Move } from './move-details.ts'

/** Moves users' visibility policies with a topic if all of its messages are moved. */
export async function moveVisibility(tx: Tx, { whole, moved, from, to }: Move): Promise<void> {
  const key = fold(from.topic)
  const sameStream = to.stream.id === from.stream.id
  if (!whole || (sameStream && fold(to.topic) === key)) return
  const policies = await tx.db
    .selectFrom('user_topic')
    .select(['user_id', 'visibility_policy'])
    .where('stream_id', '=', from.stream.id)
    .where('topic_key', '=', key)
    .execute()
  if (policies.length === 0) return
  const { idsIn } = dialectOf(tx.chat)
  const chosen = await tx.db
    .selectFrom('user_topic')
    .select('user_id')
    .where('stream_id', '=', to.stream.id)
    .where('topic_key', '=', fold(to.topic))
    .where('user_id', 'in', idsIn(policies.map((row) => row.user_id)))
    .execute()
  const users = await findUsers(
    tx,
    policies.map((row) => row.user_id),
  )
  const ids = moved.map((message) => message.id)
  const visible = await visibleMessagesOf(tx, to.stream, [...users.keys()], ids)
  // A policy for an existing target topic stays.
  const periods = new Set(chosen.map((row) => row.user_id))
  for (const { user_id, visibility_policy } of policies) {
    const own = onBehalfOf(tx, users.get(user_id)!)
    await setVisibility(own, from.stream, from.topic, visibility.inherit)
    if (periods.has(user_id) || !visible.has(user_id)) continue
    await setVisibility(own, to.stream, to.topic, visibility_policy as Visibility)
  }
}
