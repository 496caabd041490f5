import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { Narrow } from '../../../src/client/index.ts'
import { openFeed } from '../../model/reading/feed.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import { closeCompose, composeIn } from '../../model/writing/compose.ts'
import { ComposeBox } from '../compose/compose-box.tsx'
import { JoinNotice } from '../compose/join-notice.tsx'
import { useSession } from '../session-context.ts'
import { currentFeed } from './current-feed.ts'
import { FeedHeader } from './feed-header.tsx'
import { FeedList } from './feed-list.tsx'
import { TypingLine } from './typing-line.tsx'

/** The messages of a narrow, and the place to write below them. */
export function FeedPage({ narrow, near }: { narrow: Narrow; near: number | undefined }) {
  const session = useSession()
  const feed = useMemo(() => openFeed(session, narrow, near), [session, narrow, near])
  const spoken = useSignal('')
  useLayoutEffect(() => {
    keepsUnread.value = false
    currentFeed.value = feed
    composeIn(session, feed)
    return () => {
      feed.close()
      closeCompose()
      if (currentFeed.peek() === feed) currentFeed.value = undefined
    }
  }, [feed, session])
  // A new message is said once, politely; what is fetched is not.
  useEffect(
    () =>
      session.live.onChange((change) => {
        if (change.type !== 'event' || change.event.type !== 'message') return
        const { sender_full_name, id, sender_id } = change.event.message
        if (sender_id === session.state.user_id || !feed.rows.peek().some((row) => row.key === `m-${id}`)) return
        spoken.value = `New message from ${sender_full_name}`
      }),
    [feed, session, spoken],
  )
  return (
    <div class="feed-page">
      <FeedHeader feed={feed} />
      <FeedList feed={feed} />
      <p class="hidden" role="status">
        {spoken}
      </p>
      <TypingLine conversation={feed.conversation} />
      <JoinNotice feed={feed} />
      <ComposeBox feed={feed} />
    </div>
  )
}
