import { addressKey } from '../../storage/index.ts'
import { knownTo, observersOf } from '../access/user-visibility.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { dropQueuesOf } from '../events/log/end-queues.ts'
import { type Caller, onBehalfOf, type SystemTx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { findUser, type User } from '../kernel/user.ts'
import type { UserSettings } from '../settings/user.ts'
import { findUserByEmail } from './access.ts'
import { emitAvatarChange } from './avatars/avatar-change.ts'
import { changeUser } from './people.ts'
import { placeholderEmail } from './unknown-user.ts'

/** The least powerful role that sees an address, by the value of `email_address_visibility`. */
const shownTo: Readonly<Record<UserSettings['email_address_visibility'], number>> = {
  1: roles.guest,
  2: roles.member,
  3: roles.administrator,
  4: 0,
  5: roles.moderator,
}

/** Returns whether a reader sees the real address of an account. People without an account never do. */
export const seesEmail = (reader: Pick<User, 'id' | 'role'>, owner: Pick<User, 'id' | 'email_shown_to'>): boolean =>
  reader.id === owner.id || (reader.role <= owner.email_shown_to && !isSpectator(reader))

/** Returns the account with an address as the caller sees it: the real one if they may see it, or the substitute. */
export async function findUserByAddress(caller: Caller, address: string): Promise<User | undefined> {
  const user = await findUserByEmail(caller.db, address.trim())
  if (user && seesEmail(caller.user, user)) return user
  const [, id] = /^user(\d{1,15})@/i.exec(address.trim()) ?? []
  const named = id === undefined ? undefined : await findUser(caller.db, Number(id))
  return named && addressKey(named.email) === addressKey(address.trim()) ? named : undefined
}

/** Changes an account's address or its visibility, and emits to each reader what they may see. */
export async function changeEmail(
  tx: SystemTx,
  user_id: number,
  { visibility, ...change }: ChangedEmail,
): Promise<void> {
  const user = (await findUser(tx.db, user_id))!
  const { delivery_email = user.delivery_email } = change
  const email_shown_to = visibility === undefined ? user.email_shown_to : shownTo[visibility]
  if (delivery_email === user.delivery_email && email_shown_to === user.email_shown_to) return
  const email = email_shown_to === roles.guest ? delivery_email : placeholderEmail(tx.chat.options.publicUrl, user_id)
  const changed = { email, delivery_email, email_shown_to }
  await changeUser(tx, user_id, {
    ...changed,
    email_key: addressKey(delivery_email),
    // A proof is for one address.
    ...(delivery_email !== user.delivery_email && { email_verified_at: null }),
  })
  const observers = await observersOf(tx, user)
  // Each reader gets the address, or that it is hidden from them, whatever they had before.
  const person = { user_id, delivery_email }
  await emit(tx, { type: 'realm_user', op: 'update', person, email_shown_to }, observers)
  if (email !== user.email) {
    await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, new_email: email } }, observers)
  }
  await emitAvatarChange(tx, user, { ...user, ...changed })
}

/** Emits the addresses that a user with a new role now sees, and the ones they no longer see. */
export async function emitAddressesShown(tx: SystemTx, before: User, after: User): Promise<void> {
  const [low, high] = [Math.min(before.role, after.role), Math.max(before.role, after.role)]
  const changed = await tx.db
    .selectFrom('user')
    .select(['user.id', 'user.delivery_email', 'user.email_shown_to'])
    .where('user.email_shown_to', '>=', low)
    .where('user.email_shown_to', '<', high)
    .where('user.id', '!=', after.id)
    .where(await knownTo(onBehalfOf(tx, after)))
    .orderBy('user.id')
    .limit(MAX_EVENTS + 1)
    .execute()
  // Clients whose queue ends register again.
  if (changed.length > MAX_EVENTS) return dropQueuesOf(tx, after.id)
  for (const { id: user_id, delivery_email, email_shown_to } of changed) {
    const person = { user_id, delivery_email }
    await emit(tx, { type: 'realm_user', op: 'update', person, email_shown_to }, only(after.id))
  }
}

/** Larger numbers of changed addresses aren't emitted one by one. */
const MAX_EVENTS = 200

interface ChangedEmail {
  delivery_email?: string
  visibility?: UserSettings['email_address_visibility']
}
