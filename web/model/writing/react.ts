import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { toggle } from '../state/toggle.ts'

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

/** Adds or removes the reader's reaction. */
export function toggleReaction(session: Session, { id }: Message, emoji: Emoji): Promise<unknown> {
  const { client, state, messages } = session
  const { emoji_name, emoji_code, reaction_type } = emoji
  const isIt = (one: Reaction) =>
    one.user_id === state.user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type
  const params = { message_id: id, emoji_name, emoji_code, reaction_type }
  return toggle(
    session,
    `reaction ${id} ${reaction_type} ${emoji_code}`,
    () => messages.get(id)?.reactions.some(isIt) ?? false,
    (isOn) => (isOn ? client.addReaction(params) : client.removeReaction(params)),
  )
}

const THUMBS_UP: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Joins the first reaction of others, or takes that back; a thumb where there is none. */
export const agree = (session: Session, message: Message): Promise<unknown> =>
  toggleReaction(session, message, message.reactions[0] ?? THUMBS_UP)
