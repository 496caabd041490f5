import type { Tx } from '../caller.ts'
import { everyone } from '../events/audience.ts'
import { emit } from '../events/emit.ts'
import { groupGraph } from '../groups/closure.ts'
import { systemMembership } from '../groups/expand.ts'

/** Members past the waiting period: another period makes it another set. */
export async function fullMembers(tx: Tx): Promise<ReadonlySet<number>> {
  const isMember = await systemMembership(tx)
  const users = await tx.db
    .selectFrom('user')
    .select(['id', 'role', 'date_joined'])
    .where('is_active', '=', 1)
    .where('is_system_bot', '=', 0)
    .orderBy('id')
    .execute()
  return new Set(users.filter((user) => isMember('role:fullmembers', user)).map((user) => user.id))
}

export async function announceFullMembers(
  tx: Tx,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): Promise<void> {
  const group_id = (await groupGraph(tx)).systemId.get('role:fullmembers')!
  for (const [op, from, to] of [
    ['remove_members', before, after],
    ['add_members', after, before],
  ] as const) {
    const user_ids = [...from].filter((id) => !to.has(id))
    if (user_ids.length > 0) await emit(tx, { type: 'user_group', op, group_id, user_ids }, everyone)
  }
}
