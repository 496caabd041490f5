import * as v from 'valibot'
import { requireVoice } from '../access/silence.ts'
import { observersOf } from '../access/user-visibility.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { described, id, ids, text } from '../kernel/fields.ts'
import { isAdministrator } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import { filtersMatching, requireAccepted } from '../review/filters/require.ts'
import type { ProfileData, ProfileValueView } from '../shapes/user.ts'
import { empty } from '../shapes/values.ts'
import { findUsers } from './access.ts'
import { people } from './people.ts'
import { kindOf, type ProfileValue } from './profile-kinds.ts'
import { type ProfileField, profileFields } from './profile-state.ts'

/** The values of these users' profile fields, by field; users without any are left out. One query. */
export async function profileDataOf(
  caller: Pick<Caller, 'db' | 'chat'>,
  user_ids: readonly number[],
): Promise<Map<number, ProfileData>> {
  const data = new Map<number, ProfileData>()
  if (user_ids.length === 0) return data
  const rows = await caller.db
    .selectFrom('profile_value')
    .selectAll()
    .where('user_id', 'in', dialectOf(caller.chat).idsIn(user_ids))
    .orderBy('field_id')
    .execute()
  for (const { user_id, field_id, value, rendered_value } of rows) {
    const own = data.get(user_id) ?? {}
    own[field_id] = shown(value, rendered_value)
    data.set(user_id, own)
  }
  return data
}

const shown = (value: string, rendered_value: string | null): ProfileValueView => ({
  value,
  ...(rendered_value !== null && { rendered_value }),
})

/**
 * PATCH /users/me/profile_data: sets the caller's values of profile fields, all or none. An empty value removes the
 * field's value.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST for a field that only administrators may change
 * @throws BAD_REQUEST "Field id … not found.", and for a value that does not fit the field
 */
export const updateProfileData = action(
  {
    name: 'updateProfileData',
    summary: 'Update your custom profile fields',
    params: v.object({
      data: described(
        v.pipe(
          v.array(v.object({ id, value: v.nullish(v.union([text, ids])) })),
          v.maxLength(1000, '{name} has too many entries'),
        ),
        'IDs of the fields.',
      ),
    }),
    result: empty,
    errors: ['SILENCED'],
  },
  async (caller, { data }) => {
    await caller.write(async (tx) => {
      // Removing values is always possible.
      if (data.some(({ value }) => value != null && value.length > 0)) await requireVoice(tx)
      await setProfileValues(tx, tx.user.id, data)
    })
    return {}
  },
)

/**
 * DELETE /users/me/profile_data: removes the values of these fields.
 *
 * @throws BAD_REQUEST for a field that only administrators may change
 * @throws BAD_REQUEST "Field id … not found."
 */
export const removeProfileData = action(
  {
    name: 'removeProfileData',
    summary: 'Clear your custom profile fields',
    params: v.object({ data: described(ids, 'IDs of the fields.') }),
    result: empty,
  },
  async (caller, { data }) => {
    await caller.write((tx) =>
      setProfileValues(
        tx,
        tx.user.id,
        data.map((id) => ({ id })),
      ),
    )
    return {}
  },
)

export interface ValueChange {
  id: number
  value?: ProfileValue | null | undefined
}

/** Sets or removes one user's values on behalf of the caller. */
export async function setProfileValues(tx: Tx, user_id: number, changes: readonly ValueChange[]): Promise<void> {
  const fields = new Map((await profileFields(tx)).map((field) => [field.id, field]))
  const before = (await profileDataOf(tx, [user_id])).get(user_id) ?? {}
  const after = new Map<number, ProfileValueView | undefined>()
  for (const { id, value } of changes) {
    const field = fields.get(id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    if (!field.editable_by_user && !isAdministrator(tx.user)) {
      throw notPermitted('You are not allowed to change this field. Contact an administrator to update it.')
    }
    after.set(id, value == null || value.length === 0 ? undefined : await checked(tx, field, value))
  }
  for (const [id, now] of after) if (now?.value === before[id]?.value) after.delete(id)
  for (const now of after.values()) if (now) requireAccepted(await filtersMatching(tx, now.value, now.rendered_value))
  for (const [field_id, now] of after) await store(tx, user_id, field_id, now)
  for (const [field_id, now] of after) await emitProfileValue(tx, user_id, field_id, now)
}

async function checked(tx: Tx, field: ProfileField, value: ProfileValue): Promise<ProfileValueView> {
  const kind = kindOf(field.type)!
  const stored = kind.stored(field, value)
  if (kind.users) await requirePeople(tx, JSON.parse(stored))
  return shown(stored, kind.rendered ? renderPlain(stored) : null)
}

async function requirePeople(tx: Tx, user_ids: number[]): Promise<void> {
  const users = await findUsers(tx, user_ids)
  for (const id of user_ids) {
    const user = users.get(id)
    if (!user) throw badRequest(`Invalid user ID: ${id}`)
    if (!user.is_active) throw badRequest(`User with ID ${id} is deactivated`)
    if (user.bot_type !== null) throw badRequest(`User with ID ${id} is a bot`)
  }
}

async function store(tx: Tx, user_id: number, field_id: number, now: ProfileValueView | undefined): Promise<void> {
  const { db } = tx
  people.invalidate(tx)
  await db.deleteFrom('profile_value').where('user_id', '=', user_id).where('field_id', '=', field_id).execute()
  if (!now) return
  const { value, rendered_value = null } = now
  await db.insertInto('profile_value').values({ user_id, field_id, value, rendered_value }).execute()
}

/** Emits a user's new value of a field, null for none. */
export async function emitProfileValue(
  tx: Tx,
  user_id: number,
  field_id: number,
  now?: ProfileValueView,
): Promise<void> {
  const person = { user_id, custom_profile_field: { id: field_id, ...(now ?? { value: null }) } }
  await emit(tx, { type: 'realm_user', op: 'update', person }, await observersOf(tx, { id: user_id, bot_type: null }))
}
