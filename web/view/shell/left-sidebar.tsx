import { unreadOf } from '../../model/reading/unread.ts'
import { isDrawn } from '../../model/state/first-draw.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { texts } from '../../texts/texts.ts'
import { afterFirstView } from '../parts/after-first-view.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { layoutOf } from '../parts/layout.ts'
import { PlaceLink } from '../parts/place-link.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { useSession } from '../session-context.ts'
import { SpectatorHeader, SpectatorPlaces } from '../sign-in/spectator.ts'
import { AccountMenu } from './account-menu.tsx'
import { DirectList } from './direct-list.tsx'
import { SidebarEdge } from './sidebar-edge.ts'
import { StreamList } from './stream-list.tsx'

/** The links to all views, with unread counts. */
export function LeftSidebar() {
  const session = useSession()
  const readOnly = isReadOnly(session)
  return (
    <nav class="left-sidebar" aria-label={texts.shell.sidebar}>
      <div class="account-row">
        {readOnly ? <SpectatorHeader /> : <AccountMenu />}
        <IconButton
          class="hide-list"
          icon="sidebar"
          label={texts.shell.hideSidebar}
          title={texts.shell.hideSidebarTitle}
          onClick={layoutOf(session).toggleList}
        />
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
      <FirstRunPlace />
      <SidebarEdge side="left" label={texts.shell.sidebarWidth} />
    </nav>
  )
}

const FirstRun = afterFirstView(async () => (await import('../lists/loaded-lists.ts')).FirstRun)
const NEW_SECONDS = 30 * 24 * 60 * 60

/** The first steps, for owners of a new organization. */
function FirstRunPlace() {
  const { is_owner, realm_date_created } = useSession().read('users')
  return is_owner && Date.now() / 1000 - realm_date_created <= NEW_SECONDS ? <FirstRun /> : null
}

/** The views of an account. */
function Places() {
  const session = useSession()
  const { count, mentions } = unreadOf(session).value
  const { starred_messages } = session.read('starred')
  const countsStarred = session.read('settings').user_settings.starred_message_counts
  const { drafts } = session.read('drafts')
  const { scheduled_messages, reminders } = session.read('scheduled')
  const later = scheduled_messages.length + reminders.length
  return (
    <ul class="places">
      <PlaceLink to="#inbox" icon="inbox" label={texts.places.inbox} count={count} />
      <PlaceLink to="#recent" icon="clock" label={texts.places.recent} />
      <PlaceLink to="#narrow/is/mentioned" icon="at" label={texts.places.mentions} count={mentions} personal />
      <PlaceLink
        to="#narrow/is/starred"
        icon="star"
        label={texts.shell.starred}
        quiet={countsStarred ? starred_messages.length : 0}
      />
      <PlaceLink to="#drafts" icon="pencil" label={texts.places.drafts} quiet={drafts.length} />
      {later > 0 && <PlaceLink to="#scheduled" icon="clock" label={texts.shell.scheduled} quiet={later} />}
    </ul>
  )
}
