import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { observersOf } from '../access/user-visibility.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, mustBeOwner } from '../kernel/errors.ts'
import { described, id, ids, integer, text } from '../kernel/fields.ts'
import { isBot, isOwner, roles } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { settingsOf } from '../settings/organization.ts'
import { empty } from '../shapes/values.ts'
import { findUserByEmail } from '../users/access.ts'
import { emitAvatarChange } from '../users/avatars/avatar-change.ts'
import { changeEmail, findUserByAddress } from '../users/email.ts'
import { changeUser } from '../users/people.ts'
import { setProfileValues } from '../users/profile-data.ts'
import { setRole } from './change-role.ts'
import { email, fullName } from './create.ts'
import { accessManagedUser } from './managed-user.ts'

const changes = {
  full_name: described(v.nullish(fullName), 'Full name.'),
  new_email: described(v.nullish(email), 'Email address.'),
  role: described(v.nullish(integer), '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
  profile_data: described(
    v.nullish(v.array(v.object({ id, value: v.nullish(v.union([text, ids])) }))),
    'Values of custom profile fields, each with the `id` of the field. A null value clears the field.',
  ),
}
type Changes = v.InferOutput<v.ObjectSchema<typeof changes, undefined>>

/**
 * PATCH /users/{user_id}: changes a user, as an administrator.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator, and for an owner's account unless the caller is an owner
 * @throws BAD_REQUEST "No such user", "Invalid role", for the last owner's role, and for a name that is taken
 * @example
 * await updateUser(admin, { user_id, full_name: 'Ann Lee' })
 */
export const updateUser = action(
  {
    name: 'updateUser',
    summary: 'Update a user',
    audit: { subject: 'user', id: ({ user_id }) => user_id },
    params: v.object({ user_id: described(id, 'ID of the user.'), ...changes }),
    result: empty,
    role: 'administrator',
  },
  (caller, { user_id, ...requested }) => caller.write((tx) => change(tx, user_id, requested)),
)

/**
 * PATCH /users/{email}: changes a user, as an administrator.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator, and for an owner's account unless the caller is an owner
 * @throws BAD_REQUEST "No such user", "Invalid role", for the last owner's role, and for a name that is taken
 */
export const updateUserByEmail = action(
  {
    name: 'updateUserByEmail',
    summary: 'Update a user by email',
    audit: { subject: 'user', id: async ({ email }, tx) => (await findUserByAddress(tx, email))?.id },
    params: v.object({ email: described(text, 'Email address of the account.'), ...changes }),
    result: empty,
    role: 'administrator',
  },
  (caller, { email, ...requested }) =>
    caller.write(async (tx) => {
      const user = await findUserByAddress(tx, email)
      if (!user) throw badRequest('No such user')
      return change(tx, user.id, requested)
    }),
)

async function change(tx: Tx, user_id: number, { full_name, new_email, role, profile_data }: Changes) {
  const user = await accessManagedUser(tx, user_id)
  if (role === roles.owner && user.role !== roles.owner && !isOwner(tx.user)) {
    throw mustBeOwner()
  }
  if (full_name != null && full_name !== user.full_name) {
    await requireAllowedFields(tx, { full_name })
    await setFullName(tx, user, full_name)
  }
  if (new_email != null) await giveEmail(tx, await accessManagedUser(tx, user_id), new_email)
  if (role != null) await setRole(tx, user_id, role)
  if (profile_data?.length) await setProfileValues(tx, user_id, profile_data)
  return {}
}

/** Changes a user's address. The caller has checked permissions. */
export async function giveEmail(tx: Tx, user: User, address: string): Promise<void> {
  // A bot is identified by its address.
  if (isBot(user)) throw badRequest('Insufficient permission')
  const taken = await findUserByEmail(tx.db, address)
  if (taken && taken.id !== user.id) throw badRequest(`Email '${address}' already in use`)
  await changeEmail(tx, user.id, { delivery_email: address })
}

/**
 * Changes a user's name. The caller has checked permissions.
 *
 * @param options.shared whether several people may have the name
 */
export async function setFullName(
  tx: Tx,
  user: User,
  full_name: string,
  { shared = false }: { shared?: boolean } = {},
): Promise<void> {
  if (full_name === user.full_name) return
  const name_key = fold(full_name)
  if (!shared && (await settingsOf(tx)).require_unique_names) {
    const same = await tx.db
      .selectFrom('user')
      .select('id')
      .where('name_key', '=', name_key)
      .where('id', '!=', user.id)
      .executeTakeFirst()
    if (same) throw badRequest('Unique names required in this organization.')
  }
  await changeUser(tx, user.id, { full_name, name_key })
  await emit(
    tx,
    { type: 'realm_user', op: 'update', person: { user_id: user.id, full_name } },
    await observersOf(tx, user),
  )
  await emitAvatarChange(tx, user, { ...user, full_name })
}
