import { addressOf } from '../../model/reading/conversations.ts'
import { peopleByPresence, presenceOf, presenceWords, shownName, statusOf } from '../../model/reading/people.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { useDrawnByScrolling } from '../parts/long-list.ts'
import { useSession } from '../session-context.ts'
import { Resizer } from './resizer.tsx'

const MOST = 200
/** Values of the account's setting of what the list shows. */
const NAMES = 1
const WITH_PICTURES = 3

/** The user list. */
export function PeopleSidebar() {
  const session = useSession()
  const people = peopleByPresence(session).value
  const { most, onScroll } = useDrawnByScrolling()
  const { user_list_style } = session.read('settings').user_settings
  const shown = people.slice(0, Math.min(MOST, most))
  return (
    <aside class="people-sidebar" aria-labelledby="people-title">
      <Resizer side="right" label={texts.shell.peopleWidth} />
      <h2 id="people-title">{texts.places.people}</h2>
      <ul class="scrolling" onScroll={onScroll}>
        {shown.map((person) => {
          const { user_id } = person

          const presence = presenceOf(session, user_id)
          const status = statusOf(session, user_id)
          return (
            <li key={user_id}>
              <a class="row person" href={addressOf({ type: 'direct', user_ids: [user_id] })}>
                {user_list_style === WITH_PICTURES ? (
                  <Avatar user_id={user_id} size={24} presence={presence} />
                ) : (
                  <span class="presence-place">
                    <span class={`presence ${presence}`} />
                  </span>
                )}
                <span class="name">
                  {shownName(session, person)} {user_list_style !== NAMES && <StatusEmoji user_id={user_id} />}
                  <span class="hidden">, {presenceWords[presence]}</span>
                  {user_list_style !== NAMES && status?.status_text && (
                    <span class="quiet small">{status.status_text}</span>
                  )}
                </span>
              </a>
            </li>
          )
        })}
        {people.length > MOST && most >= MOST && (
          <li>
            <a class="row more" href="#people">
              {texts.shell.allPeople(people.length)}
            </a>
          </li>
        )}
      </ul>
    </aside>
  )
}
