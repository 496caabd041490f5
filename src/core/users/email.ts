import { fold } from '../../storage/index.ts'
import { observersOf } from '../access/user-visibility.ts'
import { emitAvatarChange } from '../avatars/avatar-change.ts'
import type { Chat } from '../chat.ts'
import type { Caller, SystemTx } from '../context.ts'
import { emit } from '../event-log/emit.ts'
import { roles } from '../roles.ts'
import type { UserSettings } from '../settings/user.ts'
import { findUser, type User } from '../user.ts'
import { findUserByEmail } from './access.ts'
import { changeUser } from './user-row.ts'

/** The least powerful role that is shown an address, by the value of `email_address_visibility`. */
const shownTo: Readonly<Record<UserSettings['email_address_visibility'], number>> = {
  1: roles.guest,
  2: roles.member,
  3: roles.administrator,
  4: 0,
  5: roles.moderator,
}

/** The substitute for an address that is not shown to everybody. */
export const placeholderEmail = ({ options }: Chat, user_id: number): string =>
  `user${user_id}@${new URL(options.publicUrl).hostname}`

/** Whether a reader is shown the real address of an account. */
export const seesEmail = (reader: Pick<User, 'id' | 'role'>, owner: Pick<User, 'id' | 'email_shown_to'>): boolean =>
  reader.id === owner.id || reader.role <= owner.email_shown_to

/** The account with an address as the caller sees it: the real one where it is shown to them, or the substitute. */
export async function findUserByAddress(caller: Caller, address: string): Promise<User | undefined> {
  const user = await findUserByEmail(caller.db, address.trim())
  if (user && seesEmail(caller.user, user)) return user
  const [, id] = /^user(\d{1,15})@/i.exec(address.trim()) ?? []
  const named = id === undefined ? undefined : await findUser(caller.db, Number(id))
  return named && fold(named.email) === fold(address.trim()) ? named : undefined
}

/** Changes an account's address, or who is shown it, and emits to each reader what they may see. */
export async function changeEmail(
  tx: SystemTx,
  user_id: number,
  { visibility, ...change }: ChangedEmail,
): Promise<void> {
  const user = (await findUser(tx.db, user_id))!
  const { delivery_email = user.delivery_email } = change
  const email_shown_to = visibility === undefined ? user.email_shown_to : shownTo[visibility]
  if (delivery_email === user.delivery_email && email_shown_to === user.email_shown_to) return
  const email = email_shown_to === roles.guest ? delivery_email : placeholderEmail(tx.chat, user_id)
  const changed = { email, delivery_email, email_shown_to }
  await changeUser(tx, user_id, { ...changed, email_key: fold(delivery_email) })
  const observers = await observersOf(tx, user)
  // Each reader gets the address, or that it is hidden from them, whatever they had before.
  const person = { user_id, delivery_email }
  await emit(tx, { type: 'realm_user', op: 'update', person, email_shown_to }, observers)
  if (email !== user.email) {
    await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, new_email: email } }, observers)
  }
  await emitAvatarChange(tx, user, { ...user, ...changed })
}

interface ChangedEmail {
  delivery_email?: string
  visibility?: UserSettings['email_address_visibility']
}
