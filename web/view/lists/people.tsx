import { useSignal } from '@preact/signals'
import { addressOf } from '../../model/reading/conversations.ts'
import {
  type Person,
  peopleByPresence,
  presenceOf,
  presenceWord,
  shownName,
  statusOf,
} from '../../model/reading/people.ts'
import { findPeople } from '../../model/writing/find-mentions.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Filter } from '../parts/filter.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { mayInvite, openInvite } from '../settings/invite.tsx'
import { ListPage } from './list-page.tsx'

/** How high a row is, about. */
const ROW_PX = 44

/** All users, searchable by a part of their name. */
export function People() {
  const session = useSession()
  const query = useSignal('')
  const all = peopleByPresence(session).value
  const found = query.value.trim() === '' ? all : findPeople(session, query.value.trim(), all.length)
  return (
    <ListPage
      title={texts.places.people}
      actions={
        mayInvite(session.read('organization', 'groups', 'users')) && (
          <button type="button" class="primary" onClick={() => openInvite(session)}>
            {pageTexts.invite.title}
          </button>
        )
      }
    >
      <Filter label={pageTexts.people.find} total={all.length} query={query} />
      <WindowedList
        class="people"
        label={texts.places.people}
        items={found}
        keyOf={({ user_id }) => String(user_id)}
        guess={() => ROW_PX}
      >
        {(person) => <PersonRow person={person} />}
      </WindowedList>
    </ListPage>
  )
}

function PersonRow({ person }: { person: Person }) {
  const session = useSession()
  const { user_id, delivery_email } = person
  return (
    <a class="row walked" href={addressOf({ type: 'direct', user_ids: [user_id] })}>
      <Avatar user_id={user_id} size={28} presence={presenceOf(session, user_id)} />
      <span class="name">
        {shownName(session, person)} <StatusEmoji user_id={user_id} />
        <span class="hidden">
          {texts.common.comma}
          {presenceWord(presenceOf(session, user_id))}
        </span>
        <span class="quiet small">{statusOf(session, user_id)?.status_text}</span>
      </span>
      <span class="quiet small">{delivery_email}</span>
    </a>
  )
}
