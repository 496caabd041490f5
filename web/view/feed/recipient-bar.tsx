import { addressOf, type Conversation, streamName, topicName } from '../../model/reading/conversations.ts'
import { namesOf } from '../../model/reading/people.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { Icon } from '../parts/icon.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'

interface RecipientBarProps {
  conversation: Conversation
  /** The first of them. */
  id: number
  /** Whether it is said what was found in the topic. */
  isSearched: boolean
}

/** Where the messages below it are from. */
export function RecipientBar({ conversation, id, isSearched }: RecipientBarProps) {
  const session = useSession()
  const state = session.read('streams', 'users')
  const address = addressOf(conversation, state, id)
  if (conversation.type === 'direct') {
    return (
      <div class="recipient">
        <Icon name="people" />
        <a href={address}>{namesOf(session, conversation.user_ids)}</a>
      </div>
    )
  }
  const { stream_id, topic } = conversation
  const found = isSearched ? session.messages.get(id)?.match_subject : undefined
  const name = streamName(state, stream_id) ?? texts.common.unknownChannel
  const stream = state.subscriptions.find((one) => one.stream_id === stream_id)
  return (
    <div class="recipient">
      <StreamMark stream={stream ?? { invite_only: false }} />
      <a href={narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)}>{name}</a>
      <Icon name="chevron" />
      <a href={address}>{found ? <Content html={found} /> : topicName(topic, state)}</a>
    </div>
  )
}
