import { addressOf, type Conversation, conversationOf, narrowOf, topicName } from '../../model/reading/conversations.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { isolated } from '../../model/state/isolated.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { toggle } from '../../model/state/toggle.ts'
import { texts } from '../../texts/texts.ts'
import { copyLink } from '../parts/copy-text.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { notify } from '../parts/notices.tsx'
import { currentFeed, selectedMessage } from './current-feed.ts'
import { readAll } from './read-all.ts'

const [AS_STREAM, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3] as const

/** The reader's choice for a topic. */
const policyOf = (session: Session, stream_id: number, topic: string): number =>
  session
    .read('topics')
    .user_topics.find((one) => one.stream_id === stream_id && one.topic_name.toLowerCase() === topic.toLowerCase())
    ?.visibility_policy ?? AS_STREAM

/** Mutes the topic of the selected message or of the page, or ends that. */
export async function toggleMute(session: Session): Promise<void> {
  const { client, state } = session
  const found = selectedMessage(session)
  const conversation = found ? conversationOf(found, state.user_id) : currentFeed.value?.conversation
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

/** How much a topic tells the reader: one of these. */
export function topicPolicies(session: Session, stream_id: number, topic: string): MenuItem[] {
  const { subscriptions } = session.read('streams')
  const now = policyOf(session, stream_id, topic)
  const isStreamMuted = subscriptions.some((one) => one.stream_id === stream_id && one.is_muted)
  const policies = [
    [texts.actions.muteTopic, MUTED],
    ...(isStreamMuted || now === UNMUTED ? [[texts.actions.unmuteTopic, UNMUTED] as const] : []),
    [texts.actions.followTopic, FOLLOWED],
    [texts.actions.topicDefault, AS_STREAM],
  ] as const
  return policies.map(([label, visibility_policy]) => ({
    label,
    checked: now === visibility_policy,
    run: () => session.client.updateUserTopic({ stream_id, topic, visibility_policy }),
  }))
}

/** What can be done with a topic where it is listed. */
export function topicActions(session: Session, topic: Conversation & { type: 'stream' }): MenuItem[] {
  return [
    { label: texts.actions.markAllRead, run: () => readAll(session, narrowOf(topic)) },
    { label: texts.actions.copyLink, run: () => copyLink(addressOf(topic, session.state)) },
    ...topicPolicies(session, topic.stream_id, topic.topic),
  ]
}

/** What can be done with a stream where it is listed. */
export function streamActions(session: Session, stream_id: number): MenuItem[] {
  const stream = session.read('streams').subscriptions.find((one) => one.stream_id === stream_id)
  if (!stream) return []
  const { name, is_muted, pin_to_top } = stream
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) =>
    session.client.updateProperties({ subscription_data: [{ stream_id, property, value }] })
  const narrow = [{ operator: 'channel', operand: stream_id }]
  return [
    { label: texts.actions.markAllRead, run: () => readAll(session, narrow) },
    { label: texts.actions.copyLink, run: () => copyLink(narrowAddress(narrow, undefined, () => name)) },
    { label: pin_to_top ? texts.actions.unpin : texts.actions.pin, run: () => set('pin_to_top', !pin_to_top) },
    {
      label: is_muted ? texts.actions.unmuteChannel : texts.actions.muteChannel,
      run: () => set('is_muted', !is_muted),
    },
    { label: texts.actions.channelSettings, run: () => go(`#streams/${stream_id}`) },
  ]
}
