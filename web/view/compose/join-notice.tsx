import type { FeedView } from '../../model/reading/feed-view.ts'
import { mayJoin } from '../../model/reading/stream-rights.ts'
import { isolated } from '../../model/state/isolated.ts'
import { streamToJoin } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Shown in a stream without a subscription, whose new messages cause no events. */
export function JoinNotice({ feed: { narrow } }: { feed: FeedView }) {
  const session = useSession()
  const first = narrow[0]
  const isStream = first?.operator === 'channel' && !first.negated
  const stream = isStream ? streamToJoin(session, Number(first.operand)) : undefined
  if (!stream) return null
  const { name } = stream
  return (
    <div class="compose-notice" role="status">
      <span>{texts.compose.notMember(isolated(name))}</span>
      {mayJoin(session.read('groups', 'users'), stream) && (
        <button type="button" onClick={() => attempt(() => session.client.subscribe({ subscriptions: [{ name }] }))}>
          {texts.compose.join}
        </button>
      )}
    </div>
  )
}
