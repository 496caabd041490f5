import { after, type Soon } from '../../storage/index.ts'
import type { Message } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import type { Tx } from '../kernel/context.ts'
import { isBot } from '../kernel/roles.ts'
import { userSettingsOf } from '../settings/user.ts'
import { mutedStreams } from './stored.ts'
import { raiseVisibility, type Visibility, visibility } from './user-topics.ts'

/** A user's action in a topic. Starting a topic includes sending, and sending includes taking part. */
export type Deed = 'takes part' | 'sends' | 'begins'

/** Policies satisfied by each action: 1 on taking part, 2 on sending, 3 on starting a topic; 4 is never. */
const fulfilled: Readonly<Record<Deed, readonly number[]>> = { 'takes part': [1], sends: [1, 2], begins: [1, 2, 3] }

type Topic = Parameters<typeof raiseVisibility>[1]

/** Looked up only if a setting makes it matter. */
interface Place {
  /** Whether the writer has muted the stream. */
  isMuted: () => Soon<boolean>
  topic: () => Soon<Topic>
}

/**
 * Follows or unmutes a topic for the writer if their settings say so for their action in it. Clients learn of it from
 * the `user_topic` event.
 */
export function raiseAutomatically(tx: Tx, deed: Deed, { isMuted, topic }: Place): Soon<void> {
  if (isBot(tx.user)) return
  const raise = (to: Visibility) => after(topic(), (which) => raiseVisibility(tx, which, to))
  const policies = fulfilled[deed]
  return after(userSettingsOf(tx), (settings) => {
    if (policies.includes(settings.automatically_follow_topics_policy)) return raise(visibility.followed)
    if (!policies.includes(settings.automatically_unmute_topics_in_muted_streams_policy)) return
    return after(isMuted(), (muted) => (muted ? raise(visibility.unmuted) : undefined))
  })
}

/** The same for a user who reacted to a message, or took part in its poll or to-do list. */
export async function raiseByTakingPart(
  tx: Tx,
  { topic_id, conversation_id: stream_id }: Pick<Message, 'topic_id' | 'conversation_id'>,
): Promise<void> {
  if (topic_id === null) return
  await raiseAutomatically(tx, 'takes part', {
    isMuted: () => hasMuted(tx, stream_id),
    topic: async () => ({ stream_id, name: await topicNameOf(tx.db, topic_id) }),
  })
}

export const hasMuted = (tx: Tx, stream_id: number): Soon<boolean> =>
  after(mutedStreams.get(tx, tx.user.id), (muted) => muted.has(stream_id))
