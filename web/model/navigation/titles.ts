import type { Narrow } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { conversationIn, streamName, topicName } from '../reading/conversations.ts'
import { nameOf, namesOf } from '../reading/people.ts'
import { searchText } from '../search/search.ts'
import { narrowAddress } from '../state/address.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'

interface Title {
  title: string
  /** In a topic: the stream is the title, and this is the rest. */
  topic?: string
  streamAddress?: string
  stream?: { color?: string; invite_only: boolean }
  about?: string
}

const known = (): Readonly<Record<string, string>> => ({
  'is starred': texts.places.starred,
  'is mentioned': texts.places.mentions,
  'is dm': texts.places.directMessages,
  'is unread': texts.places.unread,
  'is alerted': texts.places.alertWords,
  'is followed': texts.places.followed,
  'channels web-public': texts.places.allMessages,
})

/** The title of a narrow. */
export function titleOf(session: Session, narrow: Narrow): Title {
  const state = session.read('streams', 'users')
  const [first] = narrow
  if (narrow.length === 0) return { title: texts.places.allMessages }
  const conversation = conversationIn(narrow, state.user_id)
  if (conversation?.type === 'direct') return { title: namesOf(session, conversation.user_ids) }
  const stream_id = first?.operator === 'channel' ? Number(first.operand) : undefined
  if (stream_id !== undefined && (conversation || narrow.length === 1)) {
    const stream = [...state.subscriptions, ...state.streams].find((one) => one.stream_id === stream_id)
    const title = streamName(state, stream_id) ?? texts.common.unknownChannel
    const streamAddress = narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => title)
    return {
      title,
      streamAddress,
      ...(stream && { stream }),
      ...(conversation ? { topic: topicName(conversation.topic, state) } : { about: stream?.description ?? '' }),
    }
  }
  if (narrow.length === 1 && first) {
    const text = known()[`${first.operator} ${first.operand}`]
    if (text && !first.negated) return { title: text }
    if (first.operator === 'sender' && typeof first.operand === 'number') {
      return { title: texts.search.messagesBy(isolated(nameOf(session, first.operand))) }
    }
  }
  return { title: texts.search.resultsFor(searchText(session, narrow)) }
}
