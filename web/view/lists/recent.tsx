import { useEffect } from 'preact/hooks'
import { type RecentConversation, recentOf } from '../../model/navigation/recent.ts'
import { addressOf, conversationKey, streamName, topicName } from '../../model/reading/conversations.ts'
import { nameOf, namesOf } from '../../model/reading/people.ts'
import { unreadIn } from '../../model/reading/unread.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { ago, fullTime } from '../parts/times.ts'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'

/** How high a row is, about. */
const ROW_PX = 42

/** Conversations by their last message, with participants. */
export function Recent() {
  const session = useSession()
  const recent = recentOf(session)
  const needsLoad = recent.needsLoad.value
  const isOnline = session.connection.value.status === 'online'
  useEffect(() => void recent.load(), [recent, needsLoad, isOnline])
  const rows = recent.rows.value
  return (
    <ListPage title={texts.places.recent}>
      {rows.length === 0 && recent.status.value === 'ready' && <Nothing>{texts.recent.empty}</Nothing>}
      {recent.status.value === 'failed' && <p class="problem">{texts.recent.failed}</p>}
      <WindowedList
        class="recent"
        label={texts.places.recent}
        items={rows}
        keyOf={({ conversation }) => conversationKey(conversation)}
        guess={() => ROW_PX}
      >
        {(row) => <RecentRow row={row} />}
      </WindowedList>
    </ListPage>
  )
}

function RecentRow({ row: { conversation, senders, timestamp } }: { row: RecentConversation }) {
  const session = useSession()
  const state = session.read('streams')
  const names = senders.map((id) => nameOf(session, id)).join(', ')
  const isStream = conversation.type === 'stream'
  const stream = isStream ? state.subscriptions.find((one) => one.stream_id === conversation.stream_id) : undefined
  return (
    <a class="row walked" href={addressOf(conversation, state)}>
      {isStream ? <StreamMark stream={stream ?? { invite_only: false }} /> : <Icon name="people" />}
      <span class="name">
        {isStream ? (
          <>
            <span class="quiet">{streamName(state, conversation.stream_id) ?? texts.common.unknownChannel}</span>{' '}
            {topicName(conversation.topic, state)}
          </>
        ) : (
          namesOf(session, conversation.user_ids)
        )}
      </span>
      <span class="senders" title={names}>
        {senders.map((id) => (
          <Avatar key={id} user_id={id} size={22} />
        ))}
        <span class="hidden">{texts.people.named(names)}</span>
      </span>
      <Count of={unreadIn(session, conversation).length} personal={!isStream} />
      <time
        class="quiet small"
        dateTime={new Date(timestamp * 1000).toISOString()}
        title={fullTime(new Date(timestamp * 1000))}
      >
        {ago(timestamp)}
      </time>
    </a>
  )
}
