import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'
import { later } from '../../model/state/later.ts'
import { texts } from '../../texts/texts.ts'
import { useKeptSelection } from '../parts/current-feed.ts'
import { Icon } from '../parts/icon.tsx'
import { reasonFor } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { FeedRow } from './feed-row.tsx'
import { keepPlace, type Place } from './keep-place.ts'
import { markSeenMessages } from './mark-seen.ts'

const around = later(() => import('./loaded-feed.ts'))

/** The scrolling messages. Messages added before or after never move what the reader sees. */
export function FeedList({ feed }: { feed: FeedView }) {
  const session = useSession()
  const scroller = useRef<HTMLDivElement>(null)
  const place = useRef<Place | undefined>(undefined)
  const away = useSignal(false)
  const rows = feed.rows.value
  const isReady = feed.status.value === 'ready'
  const newBelow = useComputed(() => away.value || !feed.atNewest.value)

  useLayoutEffect(() => {
    if (!isReady) return
    const kept = keepPlace(scroller.current!, feed, { onMove: (atBottom) => (away.value = !atBottom) })
    place.current = kept
    const endSeen = markSeenMessages(scroller.current!, session, feed.conversation !== undefined)
    return () => {
      kept.end()
      endSeen()
    }
  }, [feed, isReady, session, away])
  if (isFirstViewDrawn.value) around.load()
  const parts = around.part.value
  useLayoutEffect(() => place.current?.restore(), [rows, parts])
  const requests = feed.newestRequests.value
  // The message that it refers to is drawn by then.
  useLayoutEffect(() => void (requests > 0 && requestAnimationFrame(() => place.current?.toBottom())), [feed, requests])
  useKeptSelection(feed)

  return (
    <div class="feed-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div ref={scroller} class="feed" tabIndex={0} role="log" aria-label={texts.conversation.messages} aria-live="off">
        <div class="feed-content">
          {feed.atOldest.value && isReady && parts && <parts.FeedStart feed={feed} isEmpty={rows.length === 0} />}
          {rows.map((row) => (
            <FeedRow key={row.key} row={row} feed={feed} />
          ))}
          {feed.status.value === 'failed' && (
            <div class="empty">
              <Failure of={feed.error.value} />
              <button type="button" onClick={() => void feed.reload()}>
                {texts.common.tryAgain}
              </button>
            </div>
          )}
        </div>
        {feed.status.value === 'loading' && rows.length === 0 && <Skeleton />}
      </div>
      {isReady && parts && <parts.UnreadPill feed={feed} scroller={scroller} />}
      {isReady && newBelow.value && rows.length > 0 && (
        <button type="button" class="to-bottom" onClick={() => void feed.toNewest()}>
          <Icon name="down" /> {texts.conversation.newest}
        </button>
      )}
    </div>
  )
}

/** Why no messages could be loaded, once the words for it are. */
function Failure({ of }: { of: unknown }) {
  const reason = useSignal('')
  useEffect(() => void reasonFor(of).then((words) => (reason.value = words)), [of])
  const message = of instanceof Error ? of.message : ''
  return (
    <p>
      {/unknown channel/.test(message)
        ? texts.conversation.noAccess
        : /^Invalid narrow operator/.test(message)
          ? texts.conversation.searchFailed(message.replace(/^Invalid narrow operator: /, ''))
          : reason.value && texts.conversation.loadFailed(reason.value)}
    </p>
  )
}

/** The shape of messages that are on their way; it is seen only when they take long. */
function Skeleton() {
  return (
    <div class="skeleton slow" aria-hidden="true">
      {[70, 45, 85, 60, 40, 75].map((width) => (
        <div key={width}>
          <span />
          <span class={`w${width}`} />
        </div>
      ))}
    </div>
  )
}
