import { effect, useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { sentSince } from '../../model/account/account.ts'
import { noteVisits } from '../../model/navigation/visited.ts'
import { tellFocus } from '../../model/reading/focused-tab.ts'
import { notifyOnDesktop } from '../../model/reading/notify.ts'
import { personOf } from '../../model/reading/people.ts'
import { streamSections } from '../../model/reading/sidebar.ts'
import { isFirstViewDrawn, noteFirstFrame } from '../../model/state/first-draw.ts'
import { later } from '../../model/state/later.ts'
import { reportPresence } from '../../model/state/presence.ts'
import { place } from '../../model/state/route.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { orphaned } from '../../model/writing/edit.ts'
import { texts } from '../../texts/texts.ts'
import { useKeys } from '../keys/keys.ts'
import { DialogHost } from '../parts/dialog.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { layoutOf } from '../parts/layout.ts'
import { Notices, notify } from '../parts/notices.tsx'
import { useRestoredFocus } from '../parts/restore-focus.ts'
import { useSession } from '../session-context.ts'
import { SpectatorBar } from '../sign-in/spectator.ts'
import { useBadge } from './badge.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { LeftSidebar } from './left-sidebar.tsx'
import { MainView } from './main-view.tsx'
import { PeopleSidebar } from './people-sidebar.tsx'

/**
 * The page of an account: lists at the left, the view in the middle, users at the right. Visitors without an account
 * see less.
 */
export function Shell() {
  const session = useSession()
  const readOnly = isReadOnly(session)
  const layout = layoutOf(session)
  const hasView = session.isViewReady.value
  useLayoutEffect(
    () => (hasView ? noteFirstFrame(sentSince(), () => streamSections(session).peek()) : undefined),
    [hasView],
  )
  useKeys(session)
  useEffect(
    () => (readOnly ? undefined : effect(() => (isFirstViewDrawn.value ? reportPresence(session) : undefined))),
    [session, readOnly],
  )
  useEffect(() => notifyOnDesktop(session), [session])
  useEffect(tellFocus, [])
  useEffect(() => (readOnly ? undefined : noteVisits(session)), [session, readOnly])
  const Rejected = rejected.part.value
  useEffect(() => Rejected?.notifyRejected(session), [session, Rejected])
  useEffect(
    () => session.outgoing.subscribe((sent) => sent.some(({ status }) => status === 'failed') && rejected.load()),
    [session],
  )
  useBadge(session)
  useEffect(() => orphaned(session).subscribe((edit) => edit && notify(texts.message.orphanedEdit)), [session])
  useEffect(() => {
    let end: (() => void) | undefined
    // Only devices with a touch screen load it.
    if (navigator.maxTouchPoints > 0)
      import('./swipe.ts').then(
        ({ followSwipes }) => (end = followSwipes(session)),
        () => {},
      )
    return () => end?.()
  }, [session])
  const main = useRestoredFocus<HTMLElement>()
  // On a phone, an open list covers the page until something is chosen, such as the current view or the composer.
  useSignalEffect(() => {
    void place.value
    void composerOf(session).focusRequests.value
    layout.closeDrawer()
  })
  useEffect(() => {
    const onClick = ({ target }: Event) => (target as Element).closest('a[href^="#"]') && layout.closeDrawer()
    addEventListener('click', onClick)
    return () => removeEventListener('click', onClick)
  }, [layout])
  const { drawer, list } = layout
  const people = layout.people.value && !readOnly
  const classes = [
    'shell',
    !people && 'without-people',
    !list.value && 'without-list',
    people && layout.arePeopleAtLeft() && 'people-left',
    drawer.value && `drawer-${drawer.value}`,
  ]
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <button type="button" class="skip" onClick={() => document.getElementById('main-view')?.focus()}>
        {texts.shell.skipToMessages}
      </button>
      <div class="bars">
        <ConnectionBar />
        {!readOnly && <ZoneOffer />}
      </div>
      <LeftSidebar />
      {!list.value && (
        <IconButton
          class="show-list"
          icon="sidebar"
          label={texts.shell.showSidebar}
          title={texts.shell.showSidebarTitle}
          onClick={layout.toggleList}
        />
      )}
      <main ref={main} id="main-view" tabIndex={-1}>
        {hasView && <MainView />}
      </main>
      {people && <PeopleSidebar />}
      {readOnly ? <SpectatorBar /> : <BottomBar />}
      <Notices />
      <DialogHost />
    </div>
  )
}

/** Few messages are rejected. */
const rejected = later(() => import('./notify-rejected.ts'))

const zoneBar = later(async () => (await import('./zone-bar.tsx')).ZoneBar)

/** The offer to change the profile's time zone, which most profiles don't have. */
function ZoneOffer() {
  const session = useSession()
  if (isFirstViewDrawn.value && personOf(session, session.state.user_id)?.timezone) zoneBar.load()
  const ZoneBar = zoneBar.part.value
  return ZoneBar ? <ZoneBar /> : null
}
