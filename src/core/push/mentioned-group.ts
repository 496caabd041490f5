import { expandGroups } from '../access/group-members.ts'
import { accessGroups } from '../groups/access.ts'
import type { Caller } from '../kernel/context.ts'
import { mentionOf } from '../markup/inline/mentions.ts'
import type { MessageView } from '../shapes/message.ts'

/** Loud mentions: silent ones have another class. */
const GROUP = /<span class="user-group-mention" data-user-group-id="(\d+)"/g

/**
 * Returns the group whose mention is the reason of a notification: the smallest one with the reader, unless they are
 * mentioned by name.
 */
export async function mentionedGroup(reader: Caller, { content, flags }: MessageView) {
  if (!flags.includes('mentioned') || content.includes(mentionOf(reader.user.id))) return {}
  let smallest: { id: number; size: number } | undefined
  const mentioned = new Set([...content.matchAll(GROUP)].map((found) => Number(found[1])))
  for (const id of mentioned) {
    const members = await expandGroups(reader, [id])
    if (members.includes(reader.user.id) && members.length < (smallest?.size ?? Number.POSITIVE_INFINITY))
      smallest = { id, size: members.length }
  }
  if (!smallest) return {}
  const [group] = await accessGroups(reader, [smallest.id])
  return group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}
}
