import type { Conversation } from '../../model/reading/conversations.ts'
import { guestsAmong, nameOf } from '../../model/reading/people.ts'
import { isolated } from '../../model/state/isolated.ts'
import { listOf } from '../../model/state/language.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'

/** Before something is written to people from outside, where the organization wants that said. */
export function GuestNotice({ conversation }: { conversation: Conversation }) {
  const session = useSession()
  if (conversation.type !== 'direct') return null
  const { realm_enable_guest_user_dm_warning: isWanted, user_id } = session.read('organization', 'users')
  const guests = guestsAmong(session, conversation.user_ids).filter((id) => id !== user_id)
  if (!isWanted || guests.length === 0) return null
  const names = listOf(guests.map((id) => isolated(nameOf(session, id))))
  return (
    <p class="compose-notice" role="status">
      {texts.compose.guests(names, guests.length)}
    </p>
  )
}
