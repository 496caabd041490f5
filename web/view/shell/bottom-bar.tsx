import { unreadOf } from '../../model/reading/unread.ts'
import { texts } from '../../texts/texts.ts'
import { openJump } from '../palette/jump.tsx'
import { BarButton, BarLink } from '../parts/bar-entries.tsx'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'

/** The navigation on phones. */
export function BottomBar() {
  const session = useSession()
  const { count, mentions } = unreadOf(session).value
  return (
    <nav class="bottom-bar" aria-label={texts.shell.views}>
      <BarLink to="#inbox" icon="inbox" label={texts.places.inbox}>
        <Count of={count} />
      </BarLink>
      <BarButton drawer="left" icon="hash" label={texts.places.channels} />
      <BarLink to="#narrow/is/mentioned" icon="at" label={texts.places.mentions}>
        <Count of={mentions} personal />
      </BarLink>
      <button type="button" onClick={() => openJump(session)}>
        <Icon name="search" />
        {texts.places.search}
      </button>
      <BarButton drawer="people" icon="people" label={texts.places.people} />
    </nav>
  )
}
