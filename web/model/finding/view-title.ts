import type { Place } from '../state/address.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'
import { titleOf } from './titles.ts'

const names = {
  inbox: 'Inbox',
  recent: 'Recent conversations',
  drafts: 'Drafts',
  scheduled: 'Scheduled messages',
  streams: 'Streams',
  browse: 'Streams',
  people: 'People',
  search: 'Search',
  settings: 'Settings',
  'sign-in': 'Sign in',
} as const

/** What a view is called in the title of the page, by which tabs and visits differ. */
export function viewTitle(session: Session, place: Place): string {
  if (place.view === 'stream')
    return isolated(titleOf(session, [{ operator: 'channel', operand: place.stream_id }]).title)
  if (place.view !== 'feed') return names[place.view]
  const { title, topic } = titleOf(session, place.narrow)
  return topic === undefined ? isolated(title) : `${isolated(topic)} › ${isolated(title)}`
}
