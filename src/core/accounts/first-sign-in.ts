import { observersOf } from '../access/user-visibility.ts'
import { emit } from '../events/log/emit.ts'
import { emitSystemGroupChanges } from '../groups/system-groups.ts'
import { seconds } from '../kernel/base/clock.ts'
import { isoTime } from '../kernel/base/times.ts'
import { onBehalfOf, type SystemTx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { changeUser } from '../users/people.ts'

/**
 * Sets the time of joining at the first sign-in. An account that an administrator created has joined when somebody first signs in to it, so
 * the time until then doesn't count as membership.
 */
export async function noteSignIn(tx: SystemTx, user: User): Promise<void> {
  const { id: user_id } = user
  const { awaits_sign_in } = await tx.db
    .selectFrom('user')
    .select('awaits_sign_in')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (!awaits_sign_in) return
  const date_joined = seconds(tx.chat.clock)
  await changeUser(tx, user_id, { awaits_sign_in: 0, date_joined })
  const person = { user_id, date_joined: isoTime(date_joined) }
  await emit(tx, { type: 'realm_user', op: 'update', person }, await observersOf(tx, user))
  await emitSystemGroupChanges(onBehalfOf(tx, user), user_id, user, { ...user, date_joined })
}
