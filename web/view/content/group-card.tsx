import { groupName } from '../../model/reading/groups.ts'
import { nameOf } from '../../model/reading/people.ts'
import { compareNames } from '../../model/state/compare-names.ts'
import { isolated } from '../../model/state/isolated.ts'
import { listOf } from '../../model/state/language.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { openPopover } from '../parts/dialog.tsx'

import { SessionProvider, useSession } from '../session-context.ts'
import { openProfile } from './open-profile.tsx'

/** The number of members that are named. For larger groups, the card shows how many more there are. */
const MOST = 100

/** Shows who is in a group. */
export function openGroup(session: Session, group_id: number): void {
  const group = session.state.realm_user_groups.find(({ id }) => id === group_id)
  if (!group) return
  openPopover(
    groupName(session, group_id),
    <SessionProvider value={session}>
      {group.description && <p>{group.description}</p>}
      {group.direct_subgroup_ids.length > 0 && (
        <p>
          {pieceTexts.cards.includes(listOf(group.direct_subgroup_ids.map((id) => isolated(groupName(session, id)))))}
        </p>
      )}
      <Members user_ids={group.members} />
    </SessionProvider>,
  )
}

/** By name, also where the people come only while it is open. */
function Members({ user_ids }: { user_ids: readonly number[] }) {
  const session = useSession()
  const members = user_ids.map((user_id) => ({ user_id, name: nameOf(session, user_id) }))
  members.sort((a, b) => compareNames(a.name, b.name))
  return (
    <>
      {members.length === 0 && <p class="quiet">{pieceTexts.cards.noMembers}</p>}
      <ul class="readers" aria-label={pieceTexts.cards.members}>
        {members.slice(0, MOST).map(({ user_id, name }) => (
          <li key={user_id}>
            <button type="button" class="row" onClick={() => openProfile(session, user_id)}>
              <Avatar user_id={user_id} size={24} />
              <span class="name">{name}</span>
            </button>
          </li>
        ))}
      </ul>
      {members.length > MOST && <p class="quiet">{pieceTexts.cards.more(members.length - MOST)}</p>}
    </>
  )
}
