import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'

interface RowProps {
  bot_id: number
  feed: {
    id: number
    kind: 'feed' | 'calendar'
    url: string
    stream_id: number
    topic: string
    minutes_before: number | null
    checked_at: number | null
    failure: string | null
  }
  onRemoved(): Promise<void>
}

/** A feed, where its entries go, and how reading it went. */
export function FeedRow({ bot_id, feed, onRemoved }: RowProps) {
  const session = useSession()
  const { client } = session
  const { streams } = session.read('streams')
  const { id: feed_id, url, stream_id, topic, minutes_before, checked_at, failure } = feed
  const channel = streams.find((stream) => stream.stream_id === stream_id)?.name ?? pageTexts.feeds.hiddenChannel
  const place = `${isolated(channel)} > ${isolated(topic)}`
  const remove = () =>
    confirm({
      title: pageTexts.feeds.removeTitle,
      text: pageTexts.feeds.removeText(url),
      action: pageTexts.common.remove,
      run: async () => {
        await client.removeFeed({ bot_id, feed_id })
        await onRemoved()
      },
    })
  return (
    <li>
      <code>{url}</code>
      <span class="quiet">
        {minutes_before === null ? pageTexts.feeds.feedTo(place) : pageTexts.feeds.calendarTo(place, minutes_before)}{' '}
        {checked_at === null ? pageTexts.feeds.notRead : pageTexts.feeds.lastRead(longAgo(checked_at))}
      </span>
      {failure !== null && <span class="problem">{pageTexts.feeds.failed(failure)}</span>}
      <span>
        <button type="button" aria-label={texts.common.removeName(url)} onClick={remove}>
          {pageTexts.common.remove}
        </button>
      </span>
    </li>
  )
}
