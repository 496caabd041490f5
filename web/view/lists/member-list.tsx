import { nameOf } from '../../model/reading/people.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { useSession } from '../session-context.ts'

interface MemberListProps {
  user_ids: readonly number[]
  /** Takes one of them out, where the reader may. */
  onRemove: false | ((user_id: number) => void)
}

/** The people of a stream or of a group. */
export function MemberList({ user_ids, onRemove }: MemberListProps) {
  const session = useSession()
  return (
    <ul class="settings-list">
      {user_ids.map((user_id) => (
        <li key={user_id}>
          <Avatar user_id={user_id} size={28} />
          <span class="name">{nameOf(session, user_id)}</span>
          {onRemove && (
            <button
              type="button"
              aria-label={texts.common.removeName(nameOf(session, user_id))}
              onClick={() => onRemove(user_id)}
            >
              {pageTexts.common.remove}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
