import type { ClientState } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import type { Person } from '../reading/people.ts'
import type { Session } from '../state/session.ts'
import { findPeople } from '../writing/find-mentions.ts'
import { foldedName } from '../writing/matching.ts'
import { type Ranked, ranked } from './match.ts'

const MOST = 4

type Channel = ClientState['streams'][number]

/** Returns channels that the reader can open: their own first, then others. */
export function findChannels(session: Session, words: readonly string[]): Ranked<Channel>[] {
  const { subscriptions, streams } = session.read('streams')
  const own = new Set(subscriptions.map(({ stream_id }) => stream_id))
  const others = streams.filter(({ stream_id }) => !own.has(stream_id))
  const mine = streams.filter(({ stream_id }) => own.has(stream_id))
  const open = [...mine, ...others].filter(({ is_archived }) => !is_archived)
  return ranked(open, words, ({ name }) => foldedName(name), MOST)
}

/** Returns active people: those written to recently first, then those who are present. */
export function findPersons(session: Session, words: readonly string[]): Ranked<Person>[] {
  void session.read('users')
  // The longest word leaves the fewest people to compare with the others.
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const found = findPeople(session, longest, words.length > 1 ? Number.POSITIVE_INFINITY : MOST)
  return ranked(found, words, ({ full_name }) => foldedName(full_name), MOST)
}

/** Views by name and address. */
export const views = [
  [texts.places.inbox, '#inbox'],
  [texts.inbox.missed, '#missed'],
  [texts.places.recent, '#recent'],
  [texts.places.mentions, '#narrow/is/mentioned'],
  [texts.places.starred, '#narrow/is/starred'],
  [texts.places.followed, '#narrow/is/followed'],
  [texts.places.directMessages, '#narrow/is/dm'],
  [texts.places.allMessages, '#narrow'],
  [texts.places.drafts, '#drafts'],
  [texts.places.scheduled, '#scheduled'],
  [texts.places.channels, '#streams'],
  [texts.places.people, '#people'],
  [texts.places.search, '#search'],
  [texts.places.settings, '#settings/profile'],
] as const
