import type { ComponentChildren } from 'preact'
import { unreadOf } from '../../model/reading/unread.ts'
import { address } from '../../model/state/route.ts'
import { texts } from '../../texts/texts.ts'
import { Count } from '../parts/count.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'
import { openJump } from './jump.tsx'
import { layoutOf } from './layout.ts'

interface EntryProps {
  icon: IconName
  label: string
}

/** A view; it is where the reader is unless an open list covers it. */
export const BarLink = ({ to, icon, label, children }: EntryProps & { to: string; children?: ComponentChildren }) => {
  const { drawer } = layoutOf(useSession())
  return (
    <a href={to} aria-current={!drawer.value && address.value === to ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {children}
    </a>
  )
}

/** A list that covers the page when open. */
export const BarButton = ({ drawer, icon, label }: EntryProps & { drawer: 'left' | 'people' }) => {
  const layout = layoutOf(useSession())
  return (
    <button type="button" aria-expanded={layout.drawer.value === drawer} onClick={() => layout.toggleDrawer(drawer)}>
      <Icon name={icon} />
      {label}
    </button>
  )
}

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
