import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { notifyOnDesktop } from '../../model/reading/notifications.ts'
import { reportPresence } from '../../model/state/presence.ts'
import { place } from '../../model/state/route.ts'
import { DialogHost } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notices } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { useBadge } from './badge.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useKeys } from './keys.ts'
import { layout } from './layout.ts'
import { LeftSidebar } from './left-sidebar.tsx'
import { MainView } from './main-view.tsx'
import { PeopleSidebar } from './people-sidebar.tsx'
import { useSwipeBack } from './swipe.ts'

/** The page of an account: what there is at the left, what is read in the middle, who is there at the right. */
export function Shell() {
  const session = useSession()
  useKeys(session)
  useEffect(() => reportPresence(session), [session])
  useEffect(() => notifyOnDesktop(session), [session])
  useBadge(session)
  useSwipeBack()
  // On a phone an open list covers the page until something is chosen from it.
  useSignalEffect(() => {
    void place.value
    layout.closeDrawer()
  })
  const { drawer, list, people } = layout
  const classes = [
    'shell',
    !people.value && 'without-people',
    !list.value && 'without-list',
    drawer.value && `drawer-${drawer.value}`,
  ]
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <button type="button" class="skip" onClick={() => document.getElementById('main-view')?.focus()}>
        Go to the messages
      </button>
      <ConnectionBar />
      <LeftSidebar />
      {!list.value && (
        <button
          type="button"
          class="icon-button show-list"
          aria-label="Show the conversations"
          title="Show the conversations ([)"
          onClick={layout.toggleList}
        >
          <Icon name="sidebar" />
        </button>
      )}
      <main id="main-view" tabIndex={-1}>
        <MainView />
      </main>
      {people.value && <PeopleSidebar />}
      <BottomBar />
      <Notices />
      <DialogHost />
    </div>
  )
}
