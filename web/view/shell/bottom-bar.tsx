import { unreadOf } from '../../model/reading/unread.ts'
import { address } from '../../model/state/route.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'
import { layout } from './layout.ts'

/** The ways around on a phone. */
export function BottomBar() {
  const { count, mentions } = unreadOf(useSession()).value
  const isOpen = layout.drawer.value !== ''
  const current = (to: string) => (!isOpen && address.value === to ? 'page' : undefined)
  return (
    <nav class="bottom-bar" aria-label="Views">
      <a href="#inbox" aria-current={current('#inbox')}>
        <Icon name="inbox" />
        Inbox
        <Count of={count} />
      </a>
      <button type="button" aria-expanded={layout.drawer.value === 'left'} onClick={() => layout.toggleDrawer('left')}>
        <Icon name="hash" />
        Streams
      </button>
      <a href="#narrow/is/mentioned" aria-current={current('#narrow/is/mentioned')}>
        <Icon name="at" />
        Mentions
        <Count of={mentions} />
      </a>
      <a href="#search" aria-current={current('#search')}>
        <Icon name="search" />
        Search
      </a>
      <button
        type="button"
        aria-expanded={layout.drawer.value === 'people'}
        onClick={() => layout.toggleDrawer('people')}
      >
        <Icon name="people" />
        People
      </button>
    </nav>
  )
}
