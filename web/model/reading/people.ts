import { computed } from '@preact/signals'
import type { ClientState } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'
import type { Emoji } from '../writing/react.ts'

export type Person = ClientState['realm_users'][number]

/** Everybody by id, those without an active account and the bots of the system too. */
const peopleById = perSession((session) =>
  computed(() => {
    const { realm_users, realm_non_active_users, cross_realm_bots } = session.read('users')
    const everybody: readonly Person[] = [...cross_realm_bots, ...realm_non_active_users, ...realm_users]
    return new Map(everybody.map((person) => [person.user_id, person]))
  }),
)

export const personOf = (session: Session, user_id: number): Person | undefined =>
  peopleById(session).value.get(user_id)

export const nameOf = (session: Session, user_id: number): string =>
  personOf(session, user_id)?.full_name ?? 'Unknown user'

/** The names of the others in a direct conversation. */
export function namesOf(session: Session, user_ids: readonly number[]): string {
  const own = session.state.user_id
  if (user_ids.length === 1 && user_ids[0] === own) return `${nameOf(session, own)} (you)`
  return user_ids.map((id) => nameOf(session, id)).join(', ')
}

export type Presence = 'active' | 'idle' | 'offline'

const IDLE_AFTER_SECONDS = 140

/** How somebody is there at the moment. */
export function presenceOf(session: Session, user_id: number, now = Date.now()): Presence {
  const { presences, server_presence_offline_threshold_seconds: limit, user_id: own } = session.read('presence')
  if (user_id === own) return 'active'
  const known = presences[user_id]
  if (!known || !('active_timestamp' in known)) return 'offline'
  const seconds = now / 1000
  if (seconds - known.active_timestamp < IDLE_AFTER_SECONDS) return 'active'
  return seconds - Math.max(known.idle_timestamp, known.active_timestamp) < limit ? 'idle' : 'offline'
}

export const presenceWords: Readonly<Record<Presence, string>> = { active: 'active', idle: 'away', offline: 'offline' }

/** The text and emoji that somebody has set to be seen beside their name. */
export const statusOf = (session: Session, user_id: number) => session.read('presence').user_status[user_id]

type Status = ClientState['user_status'][string]

export const statusEmoji = (status: Status | undefined): Emoji | undefined => {
  const { emoji_name, emoji_code, reaction_type } = status ?? {}
  return emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : undefined
}

/** Active people: those who are there first, then by name. */
export const peopleByPresence = perSession((session) =>
  computed(() => {
    const rank: Readonly<Record<Presence, number>> = { active: 0, idle: 1, offline: 2 }
    const people = session.read('users', 'presence').realm_users.filter((person) => !person.is_bot)
    const ranked = people.map((person) => ({ person, rank: rank[presenceOf(session, person.user_id)] }))
    const collator = new Intl.Collator()
    return ranked
      .sort((a, b) => a.rank - b.rank || collator.compare(a.person.full_name, b.person.full_name))
      .map(({ person }) => person)
  }),
)
