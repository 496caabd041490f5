import { texts } from '../../texts/texts.ts'
import { addressOf } from '../reading/conversations.ts'
import { narrowAddress } from '../state/address.ts'
import type { Session } from '../state/session.ts'
import { findPeople } from '../writing/find-mentions.ts'
import { best, folded } from '../writing/matching.ts'

export interface Destination {
  /** Its address. */
  key: string
  label: string
  kind: string
}

const views: readonly Destination[] = [
  { label: texts.places.inbox, kind: texts.shell.viewKind, key: '#inbox' },
  { label: texts.places.recent, kind: texts.shell.viewKind, key: '#recent' },
  { label: texts.places.mentions, kind: texts.shell.viewKind, key: '#narrow/is/mentioned' },
  { label: texts.shell.starred, kind: texts.shell.viewKind, key: '#narrow/is/starred' },
  { label: texts.places.drafts, kind: texts.shell.viewKind, key: '#drafts' },
  { label: texts.places.scheduled, kind: texts.shell.viewKind, key: '#scheduled' },
  { label: texts.places.channels, kind: texts.shell.viewKind, key: '#streams' },
  { label: texts.places.people, kind: texts.shell.viewKind, key: '#people' },
  { label: texts.places.allMessages, kind: texts.shell.viewKind, key: '#narrow' },
  { label: texts.places.settings, kind: texts.shell.viewKind, key: '#settings/profile' },
]

const MOST = 10

/** Returns the places that match a part of a name. */
export function destinations(session: Session, query: string): Destination[] {
  const wanted = folded(query.trim())
  if (wanted === '') return [...views]
  const inUse = session.state.subscriptions.filter(({ is_archived }) => !is_archived)
  const streams = best(inUse, wanted, ({ name }) => name, 5).map(({ stream_id, name }) => ({
    label: name,
    kind: texts.shell.channelKind,
    key: narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name),
  }))
  const people = findPeople(session, wanted, 5).map(({ user_id, full_name }) => ({
    label: full_name,
    kind: texts.shell.personKind,
    key: addressOf({ type: 'direct', user_ids: [user_id] }),
  }))
  return [...best(views, wanted, ({ label }) => label, 4), ...streams, ...people].slice(0, MOST)
}
