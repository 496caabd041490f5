import { unreadOf } from '../../model/reading/unread.ts'
import { address, home } from '../../model/state/route.ts'
import { Count } from '../parts/count.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'
import { AccountMenu } from './account-menu.tsx'
import { DirectList } from './direct-list.tsx'
import { layout } from './layout.ts'
import { Resizer } from './resizer.tsx'
import { SearchBox } from './search-box.tsx'
import { StreamList } from './stream-list.tsx'

/** Everything that can be read, with what is new in it. */
export function LeftSidebar() {
  const session = useSession()
  const { count, mentions } = unreadOf(session).value
  const { starred_messages } = session.read('starred')
  const countsStarred = session.read('settings').user_settings.starred_message_counts
  const { drafts } = session.read('drafts')
  const { scheduled_messages } = session.read('scheduled')
  return (
    <nav class="left-sidebar" aria-label="Conversations">
      <div class="account-row">
        <AccountMenu />
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
        <ul class="places">
          <PlaceLink to="#inbox" icon="inbox" label="Inbox" count={count} />
          <PlaceLink to="#recent" icon="clock" label="Recent conversations" />
          <PlaceLink to="#narrow/is/mentioned" icon="at" label="Mentions" count={mentions} />
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
        <DirectList />
        <StreamList />
      </div>
      <Resizer side="left" label="Width of the conversations" />
    </nav>
  )
}

interface PlaceLinkProps {
  to: string
  icon: IconName
  label: string
  /** Unread messages. */
  count?: number
  /** A number that asks for nothing. */
  quiet?: number
}

function PlaceLink({ to, icon, label, count = 0, quiet = 0 }: PlaceLinkProps) {
  const isHere = address.value === to || (to === home.value && address.value === '')
  return (
    <li>
      <a class="row" href={to} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="name">{label}</span>
        {quiet > 0 ? <span class="quiet number">{quiet}</span> : <Count of={count} />}
      </a>
    </li>
  )
}
