import { titleOf } from '../../model/navigation/titles.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { texts } from '../../texts/texts.ts'
import { afterFirstView } from '../parts/after-first-view.tsx'
import { Icon } from '../parts/icon.tsx'
import { layoutOf } from '../parts/layout.ts'
import { Menu } from '../parts/menu.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'
import { loadMenus, menus } from './menus.ts'

const HeaderFacts = afterFirstView(async () => (await import('./loaded-feed.ts')).HeaderFacts)

/** What the feed shows. */
export function FeedHeader({ feed }: { feed: FeedView }) {
  const session = useSession()
  const readOnly = isReadOnly(session)
  const layout = layoutOf(session)
  const { title, stream, topic, streamAddress, about } = titleOf(session, feed.narrow)
  return (
    <header class="page-header">
      <a
        class="icon-button back"
        href={readOnly ? '#streams' : '#inbox'}
        aria-label={readOnly ? texts.conversation.backToChannels : texts.conversation.backToInbox}
      >
        <Icon name="back" />
      </a>
      <h1>
        {stream && <StreamMark stream={stream} />}
        {topic === undefined ? (
          title
        ) : (
          <>
            <a href={streamAddress ?? '#'}>{title}</a>
            <Icon name="chevron" />
            <span>{topic}</span>
          </>
        )}
      </h1>
      {about && <span class="about quiet">{about}</span>}
      <span class="space" />
      <HeaderFacts feed={feed} />
      <Menu
        label={texts.conversation.actions}
        ready={loadMenus}
        items={() => menus().conversationActions(session, feed)}
      >
        <Icon name="more" />
      </Menu>
      {!readOnly && (
        <button
          type="button"
          class="icon-button people-toggle"
          aria-pressed={layout.isPeopleShown()}
          aria-label={texts.places.people}
          title={texts.places.people}
          onClick={layout.togglePeople}
        >
          <Icon name="people" />
        </button>
      )}
    </header>
  )
}
