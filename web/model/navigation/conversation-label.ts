import { texts } from '../../texts/texts.ts'
import { type Conversation, streamName, topicName } from '../reading/conversations.ts'
import { namesOf } from '../reading/people.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'

/** Names a conversation: "general › plans", "Ann". */
export function conversationLabel(session: Session, conversation: Conversation): string {
  if (conversation.type === 'direct')
    return conversation.user_ids.length === 0 ? texts.common.noRecipient : namesOf(session, conversation.user_ids)
  const { state } = session
  return `${isolated(streamName(state, conversation.stream_id) ?? texts.common.unknownChannel)} › ${isolated(topicName(conversation.topic, state))}`
}
