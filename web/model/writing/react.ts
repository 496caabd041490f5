import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'

type Reaction = Message['reactions'][number]
export type Emoji = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>

export interface ReactionGroup {
  emoji: Emoji
  user_ids: readonly number[]
}

/** The reactions by picture, in the order in which each was first given. */
export function groupReactions(reactions: readonly Reaction[]): ReactionGroup[] {
  const groups = new Map<string, { emoji: Emoji; user_ids: number[] }>()
  for (const { user_id, ...emoji } of reactions) {
    const key = `${emoji.reaction_type} ${emoji.emoji_code}`
    const group = groups.get(key) ?? { emoji, user_ids: [] }
    group.user_ids.push(user_id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Adds the reader's reaction, or takes it back. */
export async function toggleReaction({ client, state }: Session, message: Message, emoji: Emoji): Promise<void> {
  const isIt = (one: Reaction) =>
    one.user_id === state.user_id && one.emoji_code === emoji.emoji_code && one.reaction_type === emoji.reaction_type
  const { emoji_name, emoji_code, reaction_type } = emoji
  const params = { message_id: message.id, emoji_name, emoji_code, reaction_type }
  await (message.reactions.some(isIt) ? client.removeReaction(params) : client.addReaction(params))
}
