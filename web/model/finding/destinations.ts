import { addressOf } from '../reading/conversations.ts'
import { narrowAddress } from '../state/address.ts'
import type { Session } from '../state/session.ts'
import { findPeople } from '../writing/find-mentions.ts'
import { best, folded } from '../writing/matching.ts'

export interface Destination {
  label: string
  kind: string
  address: string
}

const views: readonly Destination[] = [
  { label: 'Inbox', kind: 'view', address: '#inbox' },
  { label: 'Recent conversations', kind: 'view', address: '#recent' },
  { label: 'Mentions', kind: 'view', address: '#narrow/is/mentioned' },
  { label: 'Starred', kind: 'view', address: '#narrow/is/starred' },
  { label: 'Drafts', kind: 'view', address: '#drafts' },
  { label: 'Scheduled messages', kind: 'view', address: '#scheduled' },
  { label: 'Streams', kind: 'view', address: '#streams' },
  { label: 'People', kind: 'view', address: '#people' },
  { label: 'All messages', kind: 'view', address: '#narrow' },
  { label: 'Settings', kind: 'view', address: '#settings/profile' },
]

const MOST = 10

/** Where one can go by a part of a name. */
export function destinations(session: Session, query: string): Destination[] {
  const wanted = folded(query.trim())
  if (wanted === '') return [...views]
  const inUse = session.state.subscriptions.filter(({ is_archived }) => !is_archived)
  const streams = best(inUse, wanted, ({ name }) => name, 5).map(({ stream_id, name }) => ({
    label: name,
    kind: 'stream',
    address: narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name),
  }))
  const people = findPeople(session, wanted, 5).map(({ user_id, full_name }) => ({
    label: full_name,
    kind: 'person',
    address: addressOf({ type: 'direct', user_ids: [user_id] }),
  }))
  return [...best(views, wanted, ({ label }) => label, 4), ...streams, ...people].slice(0, MOST)
}
