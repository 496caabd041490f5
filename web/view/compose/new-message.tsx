import { composeTo } from '../../model/writing/compose.ts'
import { firstStream } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'
import { chooseChannel } from './choose-channel.tsx'

/** Where a view is of no single conversation: the ways to begin a message. */
export function NewMessage() {
  const session = useSession()
  const mayPost = firstStream(session.read('streams', 'groups', 'users'))
  return (
    <div class="new-message">
      {mayPost && (
        <button type="button" onClick={() => chooseChannel(session)}>
          {texts.compose.newChannelMessage} <kbd>c</kbd>
        </button>
      )}
      <button type="button" onClick={() => composeTo(session, { type: 'direct', user_ids: [] })}>
        {texts.compose.newDirectMessage} <kbd>x</kbd>
      </button>
    </div>
  )
}
