import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { uniqueSorted } from '../../kernel/base/lists.ts'
import { type Caller, callerOf } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, ids } from '../../kernel/fields.ts'
import { isWriting } from '../../kernel/slices.ts'
import { FEW_NOTICES } from '../../messages/notices/direct.ts'
import { sayMembersChanged } from '../../messages/notices/group-members.ts'
import { empty } from '../../shapes/values.ts'
import { findUsers } from '../../users/access.ts'
import { accessChangeableGroup } from '../access.ts'
import { addMembers, removeMembers } from '../members.ts'
import type { Group } from '../settings.ts'
import { addSubgroups, removeSubgroups } from '../subgroups.ts'

/**
 * POST /user_groups/{id}/members: adds and removes members, all or nothing. Affected users other than the caller get a
 * notice.
 *
 * @throws BAD_REQUEST without the permission
 * @throws BAD_REQUEST "Invalid user group", and for users who already are members, or aren't
 * @example
 * await changeMembers(caller, { user_group_id, add: [user_id] })
 */
export const changeMembers = action(
  {
    name: 'changeMembers',
    summary: 'Add and remove members and subgroups of a user group',
    audit: { subject: 'group', id: ({ user_group_id }) => user_group_id },
    params: v.object({
      user_group_id: described(id, 'ID of the user group.'),
      add: described(v.nullish(ids), 'IDs of users to add.'),
      delete: described(v.nullish(ids), 'IDs of users to remove.'),
      add_subgroups: described(v.nullish(ids), 'IDs of groups to add as subgroups.'),
      delete_subgroups: described(v.nullish(ids), 'IDs of subgroups to remove.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
  },
  async (caller, { user_group_id, add, delete: remove, add_subgroups, delete_subgroups }) => {
    const changes = [add, remove, add_subgroups, delete_subgroups]
    if (changes.every((list) => !list?.length)) {
      throw badRequest('Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".')
    }
    const people = { added: uniqueSorted(add ?? []), removed: uniqueSorted(remove ?? []) }
    const { chat, user, client, origin } = caller
    const isSmall = people.added.length + people.removed.length <= FEW_NOTICES
    let changed: Group | undefined
    const result = await caller.write(async (tx) => {
      const group = await accessChangeableGroup(tx, user_group_id)
      await addMembers(tx, group, people.added)
      await removeMembers(tx, group, people.removed)
      await addSubgroups(tx, group, uniqueSorted(add_subgroups ?? []))
      await removeSubgroups(tx, group, uniqueSorted(delete_subgroups ?? []))
      if (isSmall) await say(tx, group, people)
      changed = group
      return {}
    })
    // In separate writes, outside this request's one write.
    if (!isSmall) await say(isWriting(caller) ? caller : callerOf(chat, user, { client, origin }), changed!, people)
    return result
  },
)

async function say(caller: Caller, group: Group, people: { added: number[]; removed: number[] }): Promise<void> {
  const users = await findUsers(caller, [...people.added, ...people.removed])
  const found = (user_ids: readonly number[]) => user_ids.flatMap((user_id) => users.get(user_id) ?? [])
  await sayMembersChanged(caller, group, { added: found(people.added), removed: found(people.removed) })
}
