import { areGuestsLimited, observersOf, strangersTo } from '../access/user-visibility.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { dropQueuesOf } from '../events/log/end-queues.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { SystemTx } from '../kernel/context.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { isGuest, roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { findUsers } from './access.ts'
import { emitPresenceTo } from './presence-rows.ts'
import { profileDataOf } from './profile-data.ts'
import { emitStatusTo } from './status.ts'
import { UNKNOWN_USER_NAME, unknownUserView } from './unknown-user.ts'
import { userView } from './view.ts'

/** The ids of the users that guests can see, by guest. */
export type VisibleUsers = ReadonlyMap<number, ReadonlySet<number>>

/**
 * If more users than this appear or disappear together for a guest, no events announce them. The guest's queues end
 * instead.
 */
const MAX_SENT = 200

const none: VisibleUsers = new Map()

/**
 * Returns which of these users limited guests can see, and which users these users can see if they are such guests.
 * Read it before and after a change of what they share. If guests aren't limited, there is nothing to read.
 */
export async function visibleUsersAround(tx: SystemTx, user_ids: readonly number[]): Promise<VisibleUsers> {
  if (user_ids.length === 0 || !(await areGuestsLimited(tx))) return none
  const pairs = [...(await pairsWhere(tx, 'guest', user_ids)), ...(await pairsWhere(tx, 'known', user_ids))]
  const visible = groupBy(
    pairs,
    (pair) => pair.guest,
    (pair) => pair.known,
  )
  return new Map([...visible].map(([guest, known]) => [guest, new Set(known)]))
}

/** Returns which users these users can see. Read it before and after a change of a role or of the rule. */
export async function visibleUsersOf(tx: SystemTx, users: readonly Pick<User, 'id' | 'role'>[]): Promise<VisibleUsers> {
  if (users.length === 0) return none
  const guests = (await areGuestsLimited(tx)) ? users.filter(isGuest) : []
  const pairs = await pairsWhere(
    tx,
    'guest',
    guests.map((guest) => guest.id),
  )
  const visible = new Map(guests.map((guest) => [guest.id, new Set<number>()]))
  for (const { guest, known } of pairs) visible.get(guest)!.add(known)
  if (guests.length === users.length) return visible
  const people = await tx.db.selectFrom('user').select('id').where('bot_type', 'is', null).orderBy('id').execute()
  const everybody = new Set(people.map((user) => user.id))
  return new Map(users.map((user) => [user.id, visible.get(user.id) ?? everybody]))
}

/** All guests. */
export const guestsOf = ({ db }: SystemTx): Promise<Pick<User, 'id' | 'role'>[]> =>
  db.selectFrom('user').select(['id', 'role']).where('role', '=', roles.guest).where('is_active', '=', 1).execute()

/** Returns pairs of guests and the users they share something with. One of each pair is one of these users. */
async function pairsWhere({ db, chat }: SystemTx, side: 'guest' | 'known', user_ids: readonly number[]) {
  const ids = dialectOf(chat).idsIn(user_ids)
  return db
    .selectFrom('subscription as own')
    .innerJoin('subscription as theirs', 'theirs.stream_id', 'own.stream_id')
    .innerJoin('user as guest', 'guest.id', 'own.user_id')
    .innerJoin('user as known', 'known.id', 'theirs.user_id')
    .select(['guest.id as guest', 'known.id as known'])
    .where('own.is_active', '=', 1)
    .where('theirs.is_active', '=', 1)
    .where('guest.role', '=', roles.guest)
    .where('known.bot_type', 'is', null)
    .where(`${side}.id`, 'in', ids)
    .union(
      db
        .selectFrom('direct_participant as own')
        .innerJoin('direct_participant as theirs', 'theirs.conversation_id', 'own.conversation_id')
        .innerJoin('user as guest', 'guest.id', 'own.user_id')
        .innerJoin('user as known', 'known.id', 'theirs.user_id')
        .select(['guest.id as guest', 'known.id as known'])
        .where('guest.role', '=', roles.guest)
        .where('known.bot_type', 'is', null)
        .where(`${side}.id`, 'in', ids),
    )
    .execute()
}

/** Emits to guests the users who became visible or invisible to them. */
export async function emitVisibilityChanges(tx: SystemTx, before: VisibleUsers, after: VisibleUsers): Promise<void> {
  const gained = new Map<number, number[]>()
  const lost = new Map<number, number[]>()
  for (const guest of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(guest), after.get(guest)]
    if (Math.abs((was?.size ?? 0) - (is?.size ?? 0)) > MAX_SENT) {
      await dropQueuesOf(tx, guest)
      continue
    }
    const come = [...(is ?? [])].filter((id) => id !== guest && !was?.has(id))
    const gone = [...(was ?? [])].filter((id) => id !== guest && !is?.has(id))
    if (come.length + gone.length > MAX_SENT) await dropQueuesOf(tx, guest)
    else {
      for (const id of come) gained.set(id, [...(gained.get(id) ?? []), guest])
      for (const id of gone) lost.set(id, [...(lost.get(id) ?? []), guest])
    }
  }
  for (const [user_id, guests] of lost) {
    const person = { user_id, full_name: UNKNOWN_USER_NAME }
    await emit(tx, { type: 'realm_user', op: 'remove', person }, only(...guests))
  }
  await emitKnown(tx, gained)
}

/** Emits to readers the users in their present state; by reader. */
async function emitKnown(tx: SystemTx, gained: ReadonlyMap<number, readonly number[]>): Promise<void> {
  const users = await findUsers(tx, [...gained.keys()])
  const profiles = await profileDataOf(tx, [...gained.keys()])
  for (const [user_id, guests] of gained) {
    const user = users.get(user_id)!
    const view = userView(tx.chat, user, { client_gravatar: false })
    const person = { ...view, ...(user.bot_type === null && { profile_data: profiles.get(user_id) ?? {} }) }
    const { email_shown_to } = user
    await emit(tx, { type: 'realm_user', op: 'add', person, email_shown_to }, only(...guests))
    await emitStatusTo(tx, user_id, only(...guests))
    await emitPresenceTo(tx, user, only(...guests))
  }
}

/** Emits a new account, as an unknown user to guests who can't see it. */
export async function emitNewUser(tx: SystemTx, user: User): Promise<void> {
  const view = userView(tx.chat, user, { client_gravatar: false })
  const person = { ...view, ...(user.bot_type === null && { profile_data: {} }) }
  const { email_shown_to } = user
  await emit(tx, { type: 'realm_user', op: 'add', person, email_shown_to }, await observersOf(tx, user))
  const strangers = await strangersTo(tx, user)
  if (strangers.length === 0) return
  const unknown = unknownUserView(publicUrlOf(tx.chat), user.id)
  await emit(tx, { type: 'realm_user', op: 'add', person: unknown, is_unknown: true }, only(...strangers))
}
