import { type Silence, silences } from '../access/silence.ts'
import type { Audience } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'

/** Silences a user until a time, in place of an earlier silence. The caller has checked permissions. */
export async function silence(tx: Tx, { id: user_id }: User, { until, reason }: Silence): Promise<void> {
  await tx.db
    .insertInto('restriction')
    .values({ user_id, until, reason })
    .onConflict((oc) => oc.column('user_id').doUpdateSet({ until, reason }))
    .execute()
  await announce(tx, user_id, until)
}

/** Lets a user write again. The caller has checked permissions. */
export async function endSilence(tx: Tx, { id: user_id }: User): Promise<void> {
  const { numDeletedRows } = await tx.db.deleteFrom('restriction').where('user_id', '=', user_id).executeTakeFirst()
  if (numDeletedRows > 0n) await announce(tx, user_id, null)
}

async function announce(tx: Tx, user_id: number, silenced_until: number | null): Promise<void> {
  silences.invalidate(tx, user_id)
  const audience: Audience = { role: roles.moderator, users: [user_id] }
  await emit(tx, { type: 'restriction', user_id, silenced_until }, audience)
}
