import { composeTo } from '../../model/writing/compose.ts'
import { firstStream } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'

/** Where a view is of no single conversation: the ways to begin a message. */
export function NewMessage() {
  const session = useSession()
  const stream = firstStream(session.read('streams', 'groups', 'users'))
  return (
    <div class="new-message">
      {stream && (
        <button
          type="button"
          onClick={() => composeTo(session, { type: 'stream', stream_id: stream.stream_id, topic: '' })}
        >
          {texts.compose.newChannelMessage} <kbd>c</kbd>
        </button>
      )}
      <button type="button" onClick={() => composeTo(session, { type: 'direct', user_ids: [] })}>
        {texts.compose.newDirectMessage} <kbd>x</kbd>
      </button>
    </div>
  )
}
