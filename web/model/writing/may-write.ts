import { type ClientState, isAllowed } from '../../../src/client/index.ts'
import type { Conversation } from '../reading/conversations.ts'
import { nameOf, personOf } from '../reading/people.ts'
import type { Session } from '../state/session.ts'

/** Why nothing can be written to a conversation, as a sentence; empty where it can. */
export function whyNotWrite(session: Session, conversation: Conversation): string {
  if (conversation.type === 'direct') {
    const gone = conversation.user_ids.find((id) => personOf(session, id)?.is_active === false)
    return gone === undefined
      ? ''
      : `The account of ${nameOf(session, gone)} is deactivated: nothing can be written to it.`
  }
  const state = session.read('streams', 'groups', 'users')
  const { subscriptions, unsubscribed, never_subscribed } = state
  const stream = [...subscriptions, ...unsubscribed, ...never_subscribed].find(
    ({ stream_id }) => stream_id === conversation.stream_id,
  )
  if (!stream) return 'There is no such stream, or not for you.'
  if (stream.is_archived) return 'This stream is archived: it can be read, and nothing can be written in it.'
  return isAllowed(state, stream.can_send_message_group) ? '' : 'You may read this stream, and not write in it.'
}

/** The first stream of the reader that they may write in. */
export const firstStream = (state: ClientState) =>
  state.subscriptions.find((one) => !one.is_archived && isAllowed(state, one.can_send_message_group))

/** Whether new messages of a stream come by themselves: the stream, where they do not and the reader could have them. */
export function streamToJoin(session: Session, stream_id: number | undefined) {
  const { unsubscribed, never_subscribed } = session.read('streams')
  return [...unsubscribed, ...never_subscribed].find((one) => one.stream_id === stream_id && !one.is_archived)
}
