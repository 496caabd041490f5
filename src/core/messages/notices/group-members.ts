import type { Group } from '../../groups/settings.ts'
import type { Caller } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { prepare } from '../send/prepare.ts'
import { isNotified, sendNotices } from './direct.ts'
import { groupMention, silentMention } from './words.ts'

/** Notifies users that the caller added them to a group, or removed them from it. */
export async function sayMembersChanged(
  caller: Caller,
  group: Pick<Group, 'name'>,
  { added, removed }: { added: readonly User[]; removed: readonly User[] },
): Promise<void> {
  const bot = await asSystemBot(caller)
  const noticesTo = async (users: readonly User[], change: string) => {
    const notified = users.filter((user) => isNotified(caller, user))
    if (notified.length === 0) return []
    const prepared = await prepare(bot, `${silentMention(caller.user)} ${change} ${groupMention(group.name)}.`)
    return notified.map((user) => ({ user, prepared }))
  }
  await sendNotices(caller, [
    ...(await noticesTo(added, 'added you to the group')),
    ...(await noticesTo(removed, 'removed you from the group')),
  ])
}
