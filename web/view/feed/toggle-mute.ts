import { conversationOf, topicName } from '../../model/reading/conversations.ts'
import { isolated } from '../../model/state/isolated.ts'
import type { Session } from '../../model/state/session.ts'
import { toggle } from '../../model/state/toggle.ts'
import { texts } from '../../texts/texts.ts'
import { currentFeed, selectedMessage } from '../parts/current-feed.ts'
import { notify } from '../parts/notices.tsx'

export const [AS_STREAM, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3] as const

/** The reader's choice for a topic. */
export const policyOf = (session: Session, stream_id: number, topic: string): number =>
  session
    .read('topics')
    .user_topics.find((one) => one.stream_id === stream_id && one.topic_name.toLowerCase() === topic.toLowerCase())
    ?.visibility_policy ?? AS_STREAM

/** Mutes the topic of the selected message or of the page, or ends that. */
export async function toggleMute(session: Session): Promise<void> {
  const { client, state } = session
  const found = selectedMessage(session)
  const conversation = found ? conversationOf(found, state.user_id) : currentFeed(session).value?.conversation
  if (conversation?.type !== 'stream') return
  const { stream_id, topic } = conversation
  const isMuted = await toggle(
    session,
    `mute ${stream_id} ${topic}`,
    () => policyOf(session, stream_id, topic) === MUTED,
    (isOn) => client.updateUserTopic({ stream_id, topic, visibility_policy: isOn ? MUTED : AS_STREAM }),
  )
  const name = topicName(topic, state)
  notify(isMuted ? texts.actions.muted(isolated(name)) : texts.actions.unmuted(isolated(name)))
}
