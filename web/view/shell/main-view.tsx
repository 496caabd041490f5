import type { ComponentType } from 'preact'
import { narrowById } from '../../model/finding/permalink.ts'
import { address, place } from '../../model/state/route.ts'
import { FeedPage } from '../feed/feed-page.tsx'
import { Drafts } from '../lists/drafts.tsx'
import { Inbox } from '../lists/inbox.tsx'
import { Recent } from '../lists/recent.tsx'
import { SearchPage } from '../lists/search-page.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { useSession } from '../session-context.ts'

const Settings = onDemand(async () => (await import('../settings/loaded-pages.ts')).Settings)

const StreamPage = onDemand(async () => (await import('../settings/loaded-pages.ts')).StreamPage)

const People = onDemand(async () => (await import('../settings/loaded-pages.ts')).People)

const Streams = onDemand(async () => (await import('../settings/loaded-pages.ts')).Streams)

const ScheduledList = onDemand(async () => (await import('../settings/loaded-pages.ts')).ScheduledList)

const views: Readonly<Record<string, ComponentType>> = {
  inbox: Inbox,
  recent: Recent,
  drafts: Drafts,
  scheduled: ScheduledList,
  streams: Streams,
  browse: Streams,
  people: People,
  search: SearchPage,
}

/** What the address names. */
export function MainView() {
  const session = useSession()
  const where = place.value
  if (where.view === 'feed')
    return <FeedPage key={address.value} {...where} narrow={narrowById(session, where.narrow)} />
  if (where.view === 'settings') return <Settings section={where.section} item={where.item} />
  if (where.view === 'stream') return <StreamPage key={address.value} stream_id={where.stream_id} />
  // Whose account is here has no need of the way in.
  const View = views[where.view] ?? Inbox
  return <View />
}
