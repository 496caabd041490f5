import { nameOf } from '../../../model/reading/people.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { PeopleInput } from '../../compose/people-input.tsx'
import { Avatar } from '../../parts/avatar.tsx'
import { attempt } from '../../parts/notices.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'

/** Muted users. */
export function MutedUsers() {
  const session = useSession()
  const { client } = session
  const muted = session.read('users').muted_users
  const mute = (user_ids: readonly number[]) => {
    const [muted_user_id] = user_ids
    if (muted_user_id !== undefined) attempt(() => client.muteUser({ muted_user_id }))
  }
  return (
    <>
      <p class="quiet">{pageTexts.mutedPeople.intro}</p>
      <p class="quiet">{pageTexts.mutedPeople.blockHelp}</p>
      <div class="field">
        <PeopleInput
          label={pageTexts.mutedPeople.mute}
          placeholder={pageTexts.mutedPeople.mute}
          user_ids={[]}
          onChange={mute}
        />
      </div>
      <ul class="settings-list">
        {muted.map(({ id, timestamp, is_blocked }) => (
          <li key={id}>
            <Avatar user_id={id} size={28} />
            <span class="name">
              {nameOf(session, id)}
              <span class="quiet small">
                {pageTexts.mutedPeople.since(longAgo(timestamp))}
                {is_blocked && `${texts.common.comma}${pageTexts.mutedPeople.isBlocked}`}
              </span>
            </span>
            <button
              type="button"
              aria-label={
                is_blocked
                  ? pageTexts.mutedPeople.unblockName(nameOf(session, id))
                  : pageTexts.mutedPeople.blockName(nameOf(session, id))
              }
              onClick={() => attempt(() => client.muteUser({ muted_user_id: id, block: !is_blocked }))}
            >
              {is_blocked ? pageTexts.mutedPeople.unblock : pageTexts.mutedPeople.block}
            </button>
            <button
              type="button"
              aria-label={pageTexts.mutedPeople.unmuteName(nameOf(session, id))}
              onClick={() => attempt(() => client.unmuteUser({ muted_user_id: id }))}
            >
              {pageTexts.mutedPeople.unmute}
            </button>
          </li>
        ))}
      </ul>
      {muted.length === 0 && <p class="quiet">{pageTexts.mutedPeople.empty}</p>}
    </>
  )
}
