import type { Message } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import type { Tx } from '../kernel/context.ts'
import { isBot } from '../kernel/roles.ts'
import { userSettingsOf } from '../settings/user.ts'
import { mutedStreams } from './stored.ts'
import { raiseVisibility, visibility } from './user-topics.ts'

/** A user's action in a topic. Starting a topic includes sending, and sending includes taking part. */
export type Deed = 'takes part' | 'sends' | 'begins'

/** Policies satisfied by each action: 1 on taking part, 2 on sending, 3 on starting a topic; 4 is never. */
const fulfilled: Readonly<Record<Deed, readonly number[]>> = { 'takes part': [1], sends: [1, 2], begins: [1, 2, 3] }

type Topic = Parameters<typeof raiseVisibility>[1]

/** Looked up only if a setting makes it matter. */
interface Place {
  /** Whether the writer has muted the stream. */
  isMuted: () => boolean | Promise<boolean>
  topic: () => Topic | Promise<Topic>
}

/**
 * Follows or unmutes a topic for the writer if their settings say so for their action in it. Clients learn of it from
 * the `user_topic` event.
 */
export async function raiseAutomatically(tx: Tx, deed: Deed, { isMuted, topic }: Place): Promise<void> {
  if (isBot(tx.user)) return
  const settings = await userSettingsOf(tx)
  const policies = fulfilled[deed]
  if (policies.includes(settings.automatically_follow_topics_policy))
    await raiseVisibility(tx, await topic(), visibility.followed)
  else if (policies.includes(settings.automatically_unmute_topics_in_muted_streams_policy) && (await isMuted()))
    await raiseVisibility(tx, await topic(), visibility.unmuted)
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

export const hasMuted = async (tx: Tx, stream_id: number): Promise<boolean> =>
  (await mutedStreams.get(tx, tx.user.id)).has(stream_id)
