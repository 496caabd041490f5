import { allows } from '../../access/permissions.ts'
import { accessGroups } from '../../groups/access.ts'
import { groupSetting, groupSettings } from '../../groups/settings.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { Rendered } from '../../markup/context.ts'

/**
 * Throws if the text mentions, not silently, a group that the writer may not mention. No one may mention system
 * groups.
 */
export async function requireGroupMentions(tx: Tx, { mentionedGroupIds }: Rendered): Promise<void> {
  if (mentionedGroupIds.length === 0 || tx.user.is_system_bot) return
  for (const group of await accessGroups(tx, mentionedGroupIds)) {
    if (await allows(tx, groupSetting(group, 'can_mention_group'), groupSettings.can_mention_group)) continue
    throw badRequest(`You are not allowed to mention user group '${group.name}'.`)
  }
}
