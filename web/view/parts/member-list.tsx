import { nameOf } from '../../model/reading/people.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'
import { Avatar } from './avatar.tsx'
import { WindowedList } from './windowed-list.tsx'

interface MemberListProps {
  user_ids: readonly number[]
  /** Takes one of them out, where the reader may. */
  onRemove: false | ((user_id: number) => void)
}

/** How high a row is, about. */
const ROW_PX = 41

/** The people of a stream or of a group. */
export function MemberList({ user_ids, onRemove }: MemberListProps) {
  const session = useSession()
  return (
    <WindowedList class="settings-list" items={user_ids} keyOf={String} guess={() => ROW_PX}>
      {(user_id) => (
        <>
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
        </>
      )}
    </WindowedList>
  )
}
