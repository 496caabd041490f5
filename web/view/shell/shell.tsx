import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { notifyOnDesktop } from '../../model/reading/notifications.ts'
import { unreadOf } from '../../model/reading/unread.ts'
import { reportPresence } from '../../model/state/presence.ts'
import { place } from '../../model/state/route.ts'
import { DialogHost } from '../parts/dialog.tsx'
import { Notices } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useKeys } from './keys.ts'
import { layout } from './layout.ts'
import { LeftSidebar } from './left-sidebar.tsx'
import { MainView } from './main-view.tsx'
import { PeopleSidebar } from './people-sidebar.tsx'

/** The page of an account: what there is at the left, what is read in the middle, who is there at the right. */
export function Shell() {
  const session = useSession()
  useKeys(session)
  useEffect(() => reportPresence(session), [session])
  useEffect(() => notifyOnDesktop(session), [session])
  useSignalEffect(() => {
    const { count } = unreadOf(session).value
    const { realm_name } = session.read('organization')
    document.title = `${count > 0 ? `(${count}) ` : ''}${realm_name}`
  })
  // On a phone an open list covers the page until something is chosen from it.
  useSignalEffect(() => {
    void place.value
    layout.closeDrawer()
  })
  const { drawer, people } = layout
  return (
    <div class={`shell ${people.value ? '' : 'without-people'} ${drawer.value ? `drawer-${drawer.value}` : ''}`}>
      <button type="button" class="skip" onClick={() => document.getElementById('main-view')?.focus()}>
        Go to the messages
      </button>
      <ConnectionBar />
      <LeftSidebar />
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
