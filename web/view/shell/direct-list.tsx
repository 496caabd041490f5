import { useSignal } from '@preact/signals'
import { addressOf, conversationIn, conversationKey } from '../../model/reading/conversations.ts'
import { namesOf, presenceOf, presenceWord } from '../../model/reading/people.ts'
import { directRows } from '../../model/reading/sidebar.ts'
import { place } from '../../model/state/route.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { useSession } from '../session-context.ts'

const SHOWN = 8

/** Direct conversations, latest first, always including unread ones. */
export function DirectList() {
  const session = useSession()
  const all = useSignal(false)
  const rows = directRows(session).value
  const shown = rows.filter((row, i) => all.value || i < SHOWN || row.unread > 0)
  const where = place.value
  const here = where.view === 'feed' && conversationIn(where.narrow, session.state.user_id)
  return (
    <section class="group" aria-labelledby="direct-title">
      <h2 id="direct-title">
        {texts.places.directMessages}
        <IconButton
          icon="plus"
          label={texts.shell.newDirectMessage}
          title={texts.shell.newDirectTitle}
          onClick={() => composeTo(session, { type: 'direct', user_ids: [] })}
        />
      </h2>
      <ul>
        {shown.map(({ user_ids, unread }) => {
          const conversation = { type: 'direct', user_ids } as const
          const isHere = here && conversationKey(here) === conversationKey(conversation)
          return (
            <li key={user_ids.join()}>
              <a class="row" href={addressOf(conversation)} aria-current={isHere ? 'page' : undefined}>
                {user_ids.length === 1 ? <PresenceMark user_id={user_ids[0]!} /> : <Icon name="people" />}
                <span class="name">
                  {namesOf(session, user_ids)} {user_ids.length === 1 && <StatusEmoji user_id={user_ids[0]!} />}
                </span>
                <Count of={unread} personal />
              </a>
            </li>
          )
        })}
        {rows.length > shown.length && (
          <li>
            <button type="button" class="row more" onClick={() => (all.value = true)}>
              {texts.common.more(rows.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

function PresenceMark({ user_id }: { user_id: number }) {
  const presence = presenceOf(useSession(), user_id)
  return (
    <span class="presence-place">
      <span class={`presence ${presence}`} />
      <span class="hidden">{presenceWord(presence)}: </span>
    </span>
  )
}
