import { addressOf, type Conversation, narrowOf } from '../../model/reading/conversations.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { copyLink } from '../parts/copy-text.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { channelEmailItem } from './channel-email-item.ts'
import { readAll } from './read-all.ts'
import { AS_STREAM, FOLLOWED, MUTED, policyOf, UNMUTED } from './toggle-mute.ts'

/** The possible visibility policies of a topic. */
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
    ...channelEmailItem(session, stream_id),
    { label: texts.actions.channelSettings, run: () => go(`#streams/${stream_id}`) },
  ]
}
