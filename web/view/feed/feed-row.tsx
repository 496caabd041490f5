import { type FeedView, isSearched } from '../../model/reading/feed-view.ts'
import type { Row } from '../../model/reading/rows.ts'
import { texts } from '../../texts/texts.ts'
import { memo } from '../parts/memo.ts'
import { dayName, fullTime } from '../parts/times.ts'
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
      return <DateLine seconds={row.time} />
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

function DateLine({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1000)
  return (
    <div class="line date-line">
      <time dateTime={date.toISOString()} title={fullTime(date)}>
        {dayName(date)}
      </time>
    </div>
  )
}
