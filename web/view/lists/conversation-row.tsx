import type { ComponentChildren } from 'preact'
import { addressOf, type Conversation, streamName, topicName } from '../../model/reading/conversations.ts'
import { nameOf, namesOf } from '../../model/reading/people.ts'
import { previewOf } from '../../model/reading/previews.ts'
import { isolated } from '../../model/state/isolated.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Count } from '../parts/count.tsx'
import { ago, fullTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'

interface ConversationRowProps {
  conversation: Conversation
  /** The newest message. */
  last: number
  unread: number
  mentions: number
  /** Whether the row names the channel of a topic. */
  withChannel?: boolean
  /** Content before the number of unread messages. */
  children?: ComponentChildren
}

/** A conversation in a list: where and when, then who wrote last and the first words of it. */
export function ConversationRow({ conversation, last, unread, mentions, withChannel, children }: ConversationRowProps) {
  const session = useSession()
  const state = session.read('streams')
  const preview = previewOf(session, last)
  const date = preview && new Date(preview.timestamp * 1000)
  const isDirect = conversation.type === 'direct'
  const sender = preview && (preview.sender_id === state.user_id ? texts.message.you : senderName(preview))
  function senderName({ sender_id, sender_full_name }: NonNullable<typeof preview>): string {
    return isolated(nameOf(session, sender_id, sender_full_name))
  }
  return (
    <a
      class={unread > 0 ? 'row walked conversation has-unread' : 'row walked conversation'}
      href={addressOf(conversation, state)}
    >
      <Avatar user_id={preview?.sender_id ?? (isDirect ? conversation.user_ids[0]! : 0)} size={32} />
      <span class="name">
        <span class="title">
          {isDirect ? (
            namesOf(session, conversation.user_ids)
          ) : (
            <>
              {withChannel && (
                <>
                  <span class="quiet">
                    {streamName(state, conversation.stream_id) ?? texts.common.unknownChannel} ›
                  </span>{' '}
                </>
              )}
              {topicName(conversation.topic, state)}
            </>
          )}
        </span>
        <span class="quiet small excerpt">{preview && texts.inbox.excerpt(sender!, preview.text)}</span>
      </span>
      {children}
      {mentions > 0 && <span class="mentioned">@</span>}
      <Count of={unread} personal={isDirect} />
      {date && (
        <time class="quiet small" dateTime={date.toISOString()} title={fullTime(date)}>
          {ago(preview.timestamp)}
        </time>
      )}
    </a>
  )
}
