import { groupGraph } from '../access/group-graph.ts'
import { systemMembers } from '../access/group-members.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'

/** The group of full members (past the waiting period) changes when the waiting period does. */
export async function fullMembers(tx: Tx): Promise<ReadonlySet<number>> {
  return new Set((await systemMembers(tx, ['role:fullmembers'])).get('role:fullmembers'))
}

export async function emitFullMembersChange(
  tx: Tx,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): Promise<void> {
  const group_id = (await groupGraph.get(tx)).systemId.get('role:fullmembers')!
  for (const [op, from, to] of [
    ['remove_members', before, after],
    ['add_members', after, before],
  ] as const) {
    const user_ids = [...from].filter((id) => !to.has(id))
    if (user_ids.length > 0) await emit(tx, { type: 'user_group', op, group_id, user_ids }, everyone)
  }
}
