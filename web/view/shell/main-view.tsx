import type { ComponentType } from 'preact'
import { address, place } from '../../model/state/route.ts'
import { FeedPage } from '../feed/feed-page.tsx'
import { Drafts } from '../lists/drafts.tsx'
import { Inbox } from '../lists/inbox.tsx'
import { People } from '../lists/people.tsx'
import { Recent } from '../lists/recent.tsx'
import { SearchPage } from '../lists/search-page.tsx'
import { Streams } from '../lists/streams.tsx'
import { onDemand } from '../parts/on-demand.tsx'

const Settings = onDemand(async () => (await import('../settings/loaded-pages.ts')).Settings)

const StreamPage = onDemand(async () => (await import('../settings/loaded-pages.ts')).StreamPage)

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
  const where = place.value
  if (where.view === 'feed') return <FeedPage key={address.value} narrow={where.narrow} near={where.near} />
  if (where.view === 'settings') return <Settings section={where.section} item={where.item} />
  if (where.view === 'stream') return <StreamPage key={address.value} stream_id={where.stream_id} />
  const View = views[where.view]!
  return <View />
}
