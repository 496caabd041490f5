import { useSignal } from '@preact/signals'
import { addressOf } from '../../model/reading/conversations.ts'
import { peopleByPresence, presenceOf, presenceWords, shownName, statusOf } from '../../model/reading/people.ts'
import { findPeople } from '../../model/writing/find-mentions.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { useSession } from '../session-context.ts'
import { Filter } from './filter.tsx'
import { mayInvite, openInvite } from './invite.tsx'
import { ListPage } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

const MOST = 300

/** Everybody, to be found by a part of their name. */
export function People() {
  const session = useSession()
  const query = useSignal('')
  const all = peopleByPresence(session).value
  const found = query.value.trim() === '' ? all.slice(0, MOST) : findPeople(session, query.value.trim(), MOST)
  return (
    <ListPage
      title={texts.places.people}
      actions={
        mayInvite(session.read('organization', 'groups', 'users')) && (
          <button type="button" class="primary" onClick={openInvite}>
            {pageTexts.invite.title}
          </button>
        )
      }
    >
      <Filter label={pageTexts.people.find} total={all.length} query={query} />
      <ul class="people" onKeyDown={moveAmongRows}>
        {found.map((person) => {
          const { user_id, delivery_email } = person
          return (
            <li key={user_id}>
              <a class="row walked" href={addressOf({ type: 'direct', user_ids: [user_id] })}>
                <Avatar user_id={user_id} size={28} presence={presenceOf(session, user_id)} />
                <span class="name">
                  {shownName(session, person)} <StatusEmoji user_id={user_id} />
                  <span class="hidden">, {presenceWords[presenceOf(session, user_id)]}</span>
                  <span class="quiet small">{statusOf(session, user_id)?.status_text}</span>
                </span>
                <span class="quiet small">{delivery_email}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </ListPage>
  )
}
