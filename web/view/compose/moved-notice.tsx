import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { type Conversation, narrowOf } from '../../model/reading/conversations.ts'
import { goToNarrow } from '../../model/state/route.ts'
import { retarget } from '../../model/writing/compose.ts'
import { forgetMove, movedTo } from '../../model/writing/moved.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'

/** Says that the conversation has moved since the page showed it, before something is sent to the old place. */
export function MovedNotice({ conversation }: { conversation: Conversation }) {
  const session = useSession()
  const to = movedTo(session, conversation)
  if (!to) return null
  const follow = () => {
    retarget(session, to)
    goToNarrow(narrowOf(to))
  }
  return (
    <div class="compose-notice" role="status">
      <span>{texts.compose.movedTo(conversationLabel(session, to))}</span>
      <button type="button" class="primary" onClick={follow}>
        {texts.compose.followMove}
      </button>
      <button type="button" onClick={() => forgetMove(session, conversation)}>
        {texts.compose.stayHere}
      </button>
    </div>
  )
}
