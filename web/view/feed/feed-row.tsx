import { type FeedView, isSearched } from '../../model/reading/feed-view.ts'
import type { Row } from '../../model/reading/rows.ts'
import { texts } from '../../texts/texts.ts'
import { memo } from '../parts/memo.ts'
import { attempt } from '../parts/notices.tsx'
import { dayName, fullTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { loadMenus, menus } from './menus.ts'
import { MessageLine } from './message-line.tsx'
import { OutgoingLine } from './outgoing-line.tsx'
import { RecipientBar } from './recipient-bar.tsx'

interface FeedRowProps {
  row: Row
  feed: FeedView
}

/** One row of a feed. It is rendered again only if its data changes. */
export const FeedRow = memo(function FeedRow({ row, feed }: FeedRowProps) {
  switch (row.kind) {
    case 'message':
      return <MessageLine message={row.message} withSender={row.withSender} feed={feed} />
    case 'recipient':
      return <RecipientBar conversation={row.conversation} id={row.id} isSearched={isSearched(feed)} />
    case 'date':
      return <DateLine seconds={row.time} feed={feed} />
    case 'unread':
      return (
        <div class="line unread-line">
          <span>{texts.conversation.unreadMarker}</span>
        </div>
      )
    case 'outgoing':
      return <OutgoingLine entry={row.entry} />
  }
})

/** A day, and the way to others. */
function DateLine({ seconds, feed: { narrow } }: { seconds: number; feed: FeedView }) {
  const session = useSession()
  const date = new Date(seconds * 1000)
  const jump = () =>
    attempt(async () => {
      await loadMenus()
      menus().openJumpToDate(session, narrow, date)
    })
  return (
    <div class="line date-line">
      <button type="button" title={fullTime(date)} onClick={jump}>
        <time dateTime={date.toISOString()}>{dayName(date)}</time>
      </button>
    </div>
  )
}
