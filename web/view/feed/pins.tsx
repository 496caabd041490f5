import { useEffect } from 'preact/hooks'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { loadPins, pinsIn } from '../../model/reading/load-pins.ts'
import { knownPins } from '../../model/reading/pins.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

const PIN = 'M9 4h6l-1 6 4 4H6l4-4zM12 14v7'

/** In the header of a channel or topic: how many messages are pinned. It opens their list. */
export function Pins({ feed, stream_id }: { feed: FeedView; stream_id: number }) {
  const session = useSession()
  useEffect(() => void loadPins(session, stream_id), [session, stream_id])
  const topic = feed.conversation?.type === 'stream' ? feed.conversation.topic : undefined
  const pins = pinsIn(knownPins(session).value.get(stream_id) ?? [], topic)
  if (pins.length === 0) return null
  const label = pieceTexts.pins.count(pins.length)
  const open = () =>
    attempt(async () => (await loadPart(() => import('./pin-list.tsx'))).openPins(session, stream_id, topic))
  return (
    <button type="button" class="pins" aria-label={label} title={label} onClick={open}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={PIN} />
      </svg>
      {pins.length}
    </button>
  )
}
