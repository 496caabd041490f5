import type { FeedView } from '../../model/reading/feed-view.ts'
import { mutesOf } from '../../model/reading/unread.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { isResolved } from '../../model/writing/moving.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { useSession } from '../session-context.ts'
import { channelOf } from './channel-of.ts'
import { Pins } from './pins.tsx'
import { FOLLOWED, policyOf } from './toggle-mute.ts'

/** Of 24 × 24. */
const paths = {
  followed: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  muted: 'M4 10v4h3l5 4V6L7 10zM16 10l5 5M21 10l-5 5',
  resolved: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12l3 3 5-6',
} as const

const Fact = ({ name, label }: { name: keyof typeof paths; label: string }) => (
  <svg class="icon" viewBox="0 0 24 24" role="img" aria-label={label}>
    <title>{label}</title>
    <path d={paths[name]} />
  </svg>
)

/** In the header: whether the topic is followed, muted or resolved, and how many members its channel has. */
export function HeaderFacts({ feed }: { feed: FeedView }) {
  const session = useSession()
  const stream = channelOf(session, feed.narrow)
  if (!stream) return null
  const { conversation } = feed
  const topic = conversation?.type === 'stream' ? conversation.topic : undefined
  const { stream_id, subscriber_count } = stream
  const own = session.read('streams').subscriptions.find((one) => one.stream_id === stream_id)
  const isMuted = topic === undefined ? own?.is_muted : mutesOf(session.read('streams', 'topics'))(stream_id, topic)
  return (
    <span class="header-facts">
      {topic !== undefined && policyOf(session, stream_id, topic) === FOLLOWED && (
        <Fact name="followed" label={pieceTexts.feed.followed} />
      )}
      {isMuted && (
        <Fact name="muted" label={topic === undefined ? pieceTexts.feed.muted : pieceTexts.feed.mutedTopic} />
      )}
      {topic !== undefined && isResolved(topic) && <Fact name="resolved" label={pieceTexts.feed.resolved} />}
      {!isReadOnly(session) && <Pins feed={feed} stream_id={stream_id} />}
      {!isReadOnly(session) && (
        <a class="members" href={`#streams/${stream_id}/members`}>
          {pieceTexts.feed.members(subscriber_count)}
        </a>
      )}
    </span>
  )
}
