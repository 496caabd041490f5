import { texts } from '../../texts/texts.ts'
import type { Place } from '../state/address.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'
import { titleOf } from './titles.ts'

const names = () => ({
  inbox: texts.places.inbox,
  recent: texts.places.recent,
  missed: texts.inbox.missed,
  drafts: texts.places.drafts,
  scheduled: texts.places.scheduled,
  streams: texts.places.channels,
  browse: texts.places.channels,
  people: texts.places.people,
  search: texts.places.search,
  settings: texts.places.settings,
  'sign-in': texts.places.signIn,
})

/** Returns a view's part of the page title, which distinguishes tabs and history entries. */
export function viewTitle(session: Session, place: Place): string {
  if (place.view === 'stream')
    return isolated(titleOf(session, [{ operator: 'channel', operand: place.stream_id }]).title)
  if (place.view !== 'feed') return names()[place.view]
  const { title, topic } = titleOf(session, place.narrow)
  return topic === undefined ? isolated(title) : `${isolated(topic)} › ${isolated(title)}`
}
