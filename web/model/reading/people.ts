import { computed, type ReadonlySignal } from '@preact/signals'
import { type ClientState, drawnAvatarUrl, type Message } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { basePath } from '../here.ts'
import { compareNames } from '../state/compare-names.ts'
import { isolated } from '../state/isolated.ts'
import { namesList } from '../state/language.ts'
import { serverSeconds } from '../state/presence.ts'
import { perSession, type Session } from '../state/session.ts'

export type Person = ClientState['realm_users'][number]

/** All users by ID, including deactivated ones and system bots. */
const peopleById = perSession((session) =>
  computed(() => {
    const { realm_users, realm_non_active_users, cross_realm_bots } = session.read('users')
    const everybody: readonly Person[] = [...cross_realm_bots, ...realm_non_active_users, ...realm_users]
    return new Map(everybody.map((person) => [person.user_id, person]))
  }),
)

export const personOf = (session: Session, user_id: number): Person | undefined =>
  peopleById(session).value.get(user_id)

/**
 * Computes a value for each user. Readers update when their value changes, not whenever something about users changes.
 */
function perUser<T>(read: (session: Session, user_id: number) => T): (session: Session, user_id: number) => T {
  const made = perSession(() => new Map<number, ReadonlySignal<T>>())
  return (session, user_id) => {
    const known = made(session).get(user_id)
    if (known) return known.value
    const fresh = computed(() => read(session, user_id))
    made(session).set(user_id, fresh)
    return fresh.value
  }
}

/** Returns a user's displayed name. Guests are marked if the organization wants that. */
export const shownName = (session: Session, { full_name, is_guest, is_deleted }: Person): string =>
  is_deleted
    ? texts.people.deleted
    : is_guest && session.read('organization').realm_enable_guest_user_indicator
      ? texts.people.guest(full_name)
      : full_name

const knownName = perUser((session, user_id) => {
  const person = personOf(session, user_id)
  return person && shownName(session, person)
})

/** Returns a user's name; `meanwhile` until users are known. */
export const nameOf = (session: Session, user_id: number, meanwhile = '…'): string =>
  knownName(session, user_id) ?? (session.isPeopleKnown.value ? texts.people.unknownUser : meanwhile)

/** The guests among people. */
export const guestsAmong = (session: Session, user_ids: readonly number[]): number[] =>
  user_ids.filter((user_id) => personOf(session, user_id)?.is_guest)

const drawnAddress = (person: { id: number; full_name: string }): string =>
  basePath.slice(0, -1) + drawnAvatarUrl(person)

/**
 * Returns the address of a user's avatar, or of an initials avatar without one. The page loads images from no other
 * server.
 */
export const avatarOf = perUser((session, user_id) => {
  const person = personOf(session, user_id)
  return person && (person.avatar_url ?? drawnAddress({ id: user_id, full_name: person.full_name }))
})

/** The same of a message's sender, as the message says it. */
export const senderAvatar = ({ avatar_url, sender_id: id, sender_full_name: full_name }: Message): string =>
  avatar_url ?? drawnAddress({ id, full_name })

export const isBot = perUser((session, user_id) => personOf(session, user_id)?.is_bot === true)

/** The names of the others in a direct conversation. */
export function namesOf(session: Session, user_ids: readonly number[]): string {
  const own = session.state.user_id
  if (user_ids.length === 1 && user_ids[0] === own)
    return texts.people.you(isolated(nameOf(session, own, session.state.full_name)))
  return namesList(user_ids.map((id) => isolated(nameOf(session, id, ''))))
}

export type Presence = 'active' | 'idle' | 'offline'

const IDLE_AFTER_SECONDS = 140

/** Returns a user's current presence. */
export const presenceOf = perUser((session, user_id) =>
  presenceIn(session.read('presence'), user_id, serverSeconds(session)),
)

function presenceIn(state: ClientState, user_id: number, seconds: number): Presence {
  if (user_id === state.user_id) return 'active'
  const known = state.presences[user_id]
  if (!known || !('active_timestamp' in known)) return 'offline'
  if (seconds - known.active_timestamp < IDLE_AFTER_SECONDS) return 'active'
  const last = Math.max(known.idle_timestamp, known.active_timestamp)
  return seconds - last < state.server_presence_offline_threshold_seconds ? 'idle' : 'offline'
}

export const presenceWord = (presence: Presence): string =>
  presence === 'active' ? texts.people.active : presence === 'idle' ? texts.people.away : texts.people.offline

/** A user's status: the text and emoji shown beside their name. */
export const statusOf = perUser((session, user_id) => session.read('statuses').user_status[user_id])

/** Active users by name. Comparing names is slow, so it is done only after a name has changed. */
const peopleByName = perSession((session) =>
  computed(() => {
    return session
      .read('users')
      .realm_users.filter((person) => !person.is_bot)
      .sort((a, b) => compareNames(a.full_name, b.full_name))
  }),
)

/** The names that several active accounts have, bots included. */
export const sharedNames = perSession((session) =>
  computed((): ReadonlySet<string> => {
    const known = new Set<string>()
    const shared = new Set<string>()
    for (const { full_name } of session.read('users').realm_users) {
      if (known.has(full_name)) shared.add(full_name)
      known.add(full_name)
    }
    return shared
  }),
)

/** Returns whether no one else has an account; false until that is known. */
export const isAlone = (session: Session): boolean =>
  session.isPeopleKnown.value && peopleByName(session).value.length === 1

/** Returns whether the reader has muted a user, whose messages are hidden until the reader asks for them. */
export const isMutedUser = perUser((session, user_id) =>
  session.read('users').muted_users.some(({ id }) => id === user_id),
)

type Status = ClientState['user_status'][string]

export const statusEmoji = (status: Status | undefined) => {
  const { emoji_name, emoji_code, reaction_type } = status ?? {}
  return emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : undefined
}

/** Active users: present ones first, then by name. */
export const peopleByPresence = perSession((session) =>
  computed((): readonly Person[] => {
    const state = session.read('presence')
    const seconds = serverSeconds(session)
    const by: Readonly<Record<Presence, Person[]>> = { active: [], idle: [], offline: [] }
    for (const person of peopleByName(session).value) by[presenceIn(state, person.user_id, seconds)].push(person)
    return [...by.active, ...by.idle, ...by.offline]
  }),
)

/** Runs something once the page has all people, who come after the first answer. Does nothing if it has them already. */
export function whenPeopleKnown({ isPeopleKnown }: Session, run: () => void): void {
  if (isPeopleKnown.peek()) return
  const stop = isPeopleKnown.subscribe((known) => {
    if (!known) return
    queueMicrotask(() => stop())
    run()
  })
}
