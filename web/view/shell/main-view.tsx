import type { FunctionComponent } from 'preact'
import { narrowById } from '../../model/navigation/permalink.ts'
import type { Place } from '../../model/state/address.ts'
import { address, place } from '../../model/state/route.ts'
import { FeedPage } from '../feed/feed-page.tsx'
import { Inbox } from '../lists/inbox.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { useSession } from '../session-context.ts'

const Drafts = onDemand(async () => (await import('../lists/loaded-lists.ts')).Drafts)

const Missed = onDemand(async () => (await import('../lists/loaded-lists.ts')).Missed)

const Recent = onDemand(async () => (await import('../lists/loaded-lists.ts')).Recent)

const SearchPage = onDemand(async () => (await import('../lists/loaded-lists.ts')).SearchPage)

const Settings = onDemand(async () => (await import('../settings/loaded-pages.ts')).Settings)

const StreamPage = onDemand(async () => (await import('../settings/loaded-pages.ts')).StreamPage)

const People = onDemand(async () => (await import('../settings/loaded-pages.ts')).People)

const Streams = onDemand(async () => (await import('../settings/loaded-pages.ts')).Streams)

const ScheduledList = onDemand(async () => (await import('../settings/loaded-pages.ts')).ScheduledList)

const Feed = (where: Place & { view: 'feed' }) => (
  <FeedPage key={address.value} {...where} narrow={narrowById(useSession(), where.narrow)} />
)

/** A component for every view. A missing one doesn't compile. */
const views: { readonly [V in Place['view']]: FunctionComponent<Place & { view: V }> } = {
  feed: Feed,
  inbox: Inbox,
  recent: Recent,
  missed: Missed,
  drafts: Drafts,
  scheduled: ScheduledList,
  streams: Streams,
  stream: ({ stream_id }) => <StreamPage key={address.value} stream_id={stream_id} />,
  browse: Streams,
  people: People,
  search: SearchPage,
  settings: ({ section, item }) => <Settings section={section} item={item} />,
  // Users with an account needn't sign in.
  'sign-in': Inbox,
}

/** The view that the address names. */
export function MainView() {
  const where = place.value
  const View = views[where.view] as FunctionComponent<Place>
  return <View {...where} />
}
