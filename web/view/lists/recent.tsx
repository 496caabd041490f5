import { useEffect } from 'preact/hooks'
import { type RecentConversation, recentOf } from '../../model/navigation/recent.ts'
import { chooseRecent, filtered } from '../../model/navigation/recent-filters.ts'
import { conversationKey } from '../../model/reading/conversations.ts'
import { nameOf } from '../../model/reading/people.ts'
import { unreadOf } from '../../model/reading/unread.ts'
import { namesList } from '../../model/state/language.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { ConversationRow } from './conversation-row.tsx'
import { ListPage } from './list-page.tsx'
import { RecentBar } from './recent-bar.tsx'

/** How high a row is, about. */
const ROW_PX = 50

/** Conversations by their last message, with participants. */
export function Recent() {
  const session = useSession()
  const recent = recentOf(session)
  const needsLoad = recent.needsLoad.value
  const isOnline = session.connection.value.status === 'online'
  useEffect(() => void recent.load(), [recent, needsLoad, isOnline])
  const all = recent.rows.value
  const rows = filtered(session, all)
  return (
    <ListPage title={texts.places.recent}>
      <RecentBar />
      {all.length > 0 && rows.length === 0 && (
        <Nothing icon="search">
          {pieceTexts.recent.nothing}{' '}
          <button type="button" onClick={() => chooseRecent(session, { filters: [] })}>
            {pieceTexts.recent.clear}
          </button>
        </Nothing>
      )}
      {all.length === 0 && recent.status.value === 'ready' && <Nothing icon="smile">{pieceTexts.feed.empty}</Nothing>}
      {recent.status.value === 'failed' && <p class="problem">{pieceTexts.recent.failed}</p>}
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

function RecentRow({ row: { conversation, senders, id } }: { row: RecentConversation }) {
  const session = useSession()
  const names = namesList(senders.map((one) => nameOf(session, one)))
  const thread = unreadOf(session).value.threads.get(conversationKey(conversation))
  return (
    <ConversationRow
      conversation={conversation}
      last={id}
      unread={thread?.ids.length ?? 0}
      mentions={thread?.mentions ?? 0}
      withChannel
    >
      <span class="senders" title={names}>
        {/* The picture at the start of the row is the last sender's. */}
        {senders.slice(1).map((one) => (
          <Avatar key={one} user_id={one} size={22} />
        ))}
        <span class="hidden">{texts.people.named(names)}</span>
      </span>
    </ConversationRow>
  )
}
