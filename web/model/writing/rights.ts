import {
  administersStream,
  type ClientState,
  hasPermission,
  isAllowed,
  type Message,
} from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import type { Conversation } from '../reading/conversations.ts'
import { nameOf, personOf } from '../reading/people.ts'
import { mayRead } from '../reading/stream-rights.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'

/** What the reader may post, and do with existing messages. The server has the final say. */

/** Why nothing can be written to a conversation, as a sentence; empty where it can. */
export function whyNotWrite(session: Session, conversation: Conversation): string {
  if (conversation.type === 'direct') {
    const gone = conversation.user_ids.find((id) => personOf(session, id)?.is_active === false)
    return gone === undefined ? '' : texts.compose.deactivatedRecipient(isolated(nameOf(session, gone)))
  }
  const state = session.read('streams', 'groups', 'users')
  const { subscriptions, unsubscribed, never_subscribed } = state
  const stream = [...subscriptions, ...unsubscribed, ...never_subscribed].find(
    ({ stream_id }) => stream_id === conversation.stream_id,
  )
  if (!stream) return texts.compose.noSuchChannel
  if (stream.is_archived) return texts.compose.channelArchived
  return isAllowed(state, stream.can_send_message_group) ? '' : texts.compose.mayNotPost
}

/** Why nothing can be written in a topic of a channel, as a sentence; empty where it can. */
export function whyNotInTopic(session: Session, { stream_id, topic }: { stream_id: number; topic: string }): string {
  const { realm_topics_policy } = session.read('organization')
  const { subscriptions, unsubscribed, never_subscribed } = session.read('streams')
  const stream = [...subscriptions, ...unsubscribed, ...never_subscribed].find((one) => one.stream_id === stream_id)
  const own = stream?.topics_policy ?? 'inherit'
  const policy = own === 'inherit' ? realm_topics_policy : own
  if (policy === 'disable_empty_topic' && topic.trim() === '') return texts.compose.topicRequired
  return policy === 'empty_topic_only' && topic.trim() !== '' ? texts.compose.onlyGeneralChat : ''
}

/** The first stream of the reader that they may write in. */
export const firstStream = (state: ClientState) =>
  state.subscriptions.find((one) => !one.is_archived && isAllowed(state, one.can_send_message_group))

/** Returns the stream if its new messages cause no events and the reader could subscribe to it. */
export function streamToJoin(session: Session, stream_id: number | undefined) {
  const { unsubscribed, never_subscribed } = session.read('streams')
  return [...unsubscribed, ...never_subscribed].find((one) => one.stream_id === stream_id && !one.is_archived)
}

/** Whether a message is younger than a limit in seconds; null is none. */
const isWithin = ({ timestamp }: Message, limit: number | null): boolean =>
  limit === null || Date.now() / 1000 - timestamp < limit

/**
 * Whether the reader may edit the text: their own messages, within the organization's time limit. Polls and to-do
 * lists can't be edited.
 */
export function mayEdit({ state }: Session, message: Message): boolean {
  if (message.sender_id !== state.user_id || !state.realm_allow_message_editing) return false
  return message.submessages.length === 0 && isWithin(message, state.realm_message_content_edit_limit_seconds)
}

/** The message's channel, if the reader knows it and can read it. */
function channelOf(state: ClientState, message: Message) {
  if (message.type !== 'stream') return undefined
  const all = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  const stream = all.find((one) => one.stream_id === message.stream_id)
  return stream && mayRead(state, stream) ? stream : undefined
}

type ChannelPermission =
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'

/** Whether the message's channel gives the reader this permission. */
function allowsHere(state: ClientState, message: Message, permission: ChannelPermission): boolean {
  const stream = channelOf(state, message)
  return stream !== undefined && isAllowed(state, stream[permission])
}

/** The same for moving messages, which people who administer the channel always may. */
function movesHere(state: ClientState, message: Message, permission: ChannelPermission): boolean {
  const stream = channelOf(state, message)
  return stream !== undefined && (administersStream(state, stream) || isAllowed(state, stream[permission]))
}

export function mayDelete({ state }: Session, message: Message): boolean {
  if (hasPermission(state, 'realm_can_delete_any_message_group')) return true
  if (allowsHere(state, message, 'can_delete_any_message_group')) return true
  return (
    message.sender_id === state.user_id &&
    (hasPermission(state, 'realm_can_delete_own_message_group') ||
      allowsHere(state, message, 'can_delete_own_message_group')) &&
    isWithin(message, state.realm_message_content_delete_limit_seconds)
  )
}

/** Moderators and above move messages of any age. */
const isModerator = ({ is_admin, is_moderator }: ClientState): boolean => is_admin || is_moderator

/** Whether the reader may move it to another topic. Everyone may give a topic to messages without one. */
export function mayMoveToTopic({ state }: Session, message: Message): boolean {
  const { realm_move_messages_within_stream_limit_seconds: limit } = state
  if (message.type !== 'stream') return false
  const allowed =
    message.subject === '' ||
    hasPermission(state, 'realm_can_move_messages_between_topics_group') ||
    movesHere(state, message, 'can_move_messages_within_channel_group')
  if (!allowed) return false
  return isModerator(state) || isWithin(message, limit)
}

export function mayMoveToStream({ state }: Session, message: Message): boolean {
  const { realm_move_messages_between_streams_limit_seconds: limit } = state
  if (message.type !== 'stream') return false
  const allowed =
    hasPermission(state, 'realm_can_move_messages_between_channels_group') ||
    movesHere(state, message, 'can_move_messages_out_of_channel_group')
  if (!allowed) return false
  return isModerator(state) || isWithin(message, limit)
}

export const mayMove = (session: Session, message: Message): boolean =>
  mayMoveToTopic(session, message) || mayMoveToStream(session, message)

/** Whether there are earlier versions of a message, as far as the organization shows them. */
export function hasHistory({ state }: Session, { last_edit_timestamp, last_moved_timestamp }: Message): boolean {
  const policy = state.realm_message_edit_history_visibility_policy
  if (policy === 'none') return false
  return last_moved_timestamp !== undefined || (policy === 'all' && last_edit_timestamp !== undefined)
}
