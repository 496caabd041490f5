import type { Db } from '../../storage/index.ts'
import type { Caller } from '../context.ts'
import type { User } from '../user.ts'

/** A change of somebody's role that is still in the log. */
interface RoleChange {
  position: number
  role_before: number
}

export const ROLE_CHANGES_KEY = 'role-changes'

/** The caller as they were at a position of the log: what happened there is for who they were then. */
export async function userAt(caller: Caller, position: number): Promise<User> {
  const changes = (await caller.memo(ROLE_CHANGES_KEY, loadChanges)).get(caller.user.id)
  const next = changes?.find((change) => change.position > position)
  return next ? { ...caller.user, role: next.role_before } : caller.user
}

/** By user, oldest first. */
async function loadChanges(db: Db): Promise<ReadonlyMap<number, readonly RoleChange[]>> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'payload'])
    .where('type', '=', 'realm_user')
    .where('payload', 'like', '%"role_before":%')
    .orderBy('id')
    .execute()
  const changes = new Map<number, RoleChange[]>()
  for (const { id: position, payload } of rows) {
    const { person, role_before } = JSON.parse(payload)
    if (role_before === undefined) continue
    changes.set(person.user_id, [...(changes.get(person.user_id) ?? []), { position, role_before }])
  }
  return changes
}
