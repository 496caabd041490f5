import { addressOf } from '../../model/reading/conversations.ts'
import { peopleByPresence, presenceOf, presenceWord, shownName, statusOf } from '../../model/reading/people.ts'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { SidebarEdge } from './sidebar-edge.ts'

/** How high a row is, about. */
const ROW_PX = 32
/** Values of the account's setting for the contents of the list. */
const NAMES = 1
const WITH_PICTURES = 3

/** The user list. */
export function PeopleSidebar() {
  const session = useSession()
  // They come after the messages, and once, because sorting them takes long.
  const { status } = session.connection.value
  const isTime = isFirstViewDrawn.value && (session.isPeopleKnown.value || status !== 'online')
  const people = isTime ? peopleByPresence(session).value : []
  const { user_list_style } = session.read('settings').user_settings
  return (
    <aside class="people-sidebar" aria-labelledby="people-title">
      <SidebarEdge side="right" label={texts.shell.peopleWidth} />
      <h2 id="people-title">{texts.places.people}</h2>
      <WindowedList class="scrolling" items={people} keyOf={({ user_id }) => String(user_id)} guess={() => ROW_PX}>
        {(person) => {
          const { user_id } = person
          const presence = presenceOf(session, user_id)
          const status = statusOf(session, user_id)
          return (
            <a class="row person walked" href={addressOf({ type: 'direct', user_ids: [user_id] })}>
              {user_list_style === WITH_PICTURES ? (
                <Avatar user_id={user_id} size={24} presence={presence} />
              ) : (
                <span class="presence-place">
                  <span class={`presence ${presence}`} />
                </span>
              )}
              <span class="name">
                {shownName(session, person)} {user_list_style !== NAMES && <StatusEmoji user_id={user_id} />}
                <span class="hidden">, {presenceWord(presence)}</span>
                {user_list_style !== NAMES && status?.status_text && (
                  <span class="quiet small">{status.status_text}</span>
                )}
              </span>
            </a>
          )
        }}
      </WindowedList>
    </aside>
  )
}
