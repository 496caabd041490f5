import { unreadOf } from '../../model/reading/unread.ts'
import { isDrawn } from '../../model/state/at-rest.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { PlaceLink } from '../lists/place-link.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'
import { SpectatorHeader, SpectatorPlaces } from '../sign-in/spectator.ts'
import { AccountMenu } from './account-menu.tsx'
import { DirectList } from './direct-list.tsx'
import { layout } from './layout.ts'
import { Resizer } from './resizer.tsx'
import { SearchBox } from './search-box.tsx'
import { StreamList } from './stream-list.tsx'

/** Everything that can be read, with what is new in it. */
export function LeftSidebar() {
  const readOnly = isReadOnly(useSession())
  return (
    <nav class="left-sidebar" aria-label="Conversations">
      <div class="account-row">
        {readOnly ? <SpectatorHeader /> : <AccountMenu />}
        <button
          type="button"
          class="icon-button hide-list"
          aria-label="Hide the conversations"
          title="Hide the conversations ([)"
          onClick={layout.toggleList}
        >
          <Icon name="sidebar" />
        </button>
      </div>
      <SearchBox />
      <div class="scrolling">
        {readOnly ? <SpectatorPlaces /> : <Places />}
        {isDrawn.value && (
          <>
            {!readOnly && <DirectList />}
            <StreamList />
          </>
        )}
      </div>
      <Resizer side="left" label="Width of the conversations" />
    </nav>
  )
}

/** The views of an account. */
function Places() {
  const session = useSession()
  const { count, mentions } = unreadOf(session).value
  const { starred_messages } = session.read('starred')
  const countsStarred = session.read('settings').user_settings.starred_message_counts
  const { drafts } = session.read('drafts')
  const { scheduled_messages } = session.read('scheduled')
  return (
    <ul class="places">
      <PlaceLink to="#inbox" icon="inbox" label="Inbox" count={count} />
      <PlaceLink to="#recent" icon="clock" label="Recent conversations" />
      <PlaceLink to="#narrow/is/mentioned" icon="at" label="Mentions" count={mentions} personal />
      <PlaceLink
        to="#narrow/is/starred"
        icon="star"
        label="Starred"
        quiet={countsStarred ? starred_messages.length : 0}
      />
      <PlaceLink to="#drafts" icon="pencil" label="Drafts" quiet={drafts.length} />
      {scheduled_messages.length > 0 && (
        <PlaceLink to="#scheduled" icon="clock" label="Scheduled" quiet={scheduled_messages.length} />
      )}
    </ul>
  )
}
